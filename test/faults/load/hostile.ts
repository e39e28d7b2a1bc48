import type { RequestSpec } from './caller.js';
import type { Random } from './random.js';
import type { TestData } from './test-data.js';

type Attack = Pick<RequestSpec, 'path'> & Partial<RequestSpec>;

const post = (path: string, body: unknown, headers?: Record<string, string>): Attack => ({
  method: 'POST',
  path,
  body,
  ...(headers !== undefined && { headers }),
});

const forged = `${Buffer.from('{"alg":"none","typ":"at+jwt"}').toString('base64url')}.${Buffer.from(
  '{"sub":"00000000-0000-4000-8000-000000000000","aud":"vitrine"}',
).toString('base64url')}.`;

const attacks = (place: string): Attack[] => [
  post('/api/auth/token', '{"email": '),
  post('/api/auth/token', { email: 'a\u0000b@faults.example', password: 'x' }),
  post('/api/auth/token', { email: { $gt: '' }, password: ['x'] }),
  post('/api/auth/token', '{"email":"a@b.example","password":"x","__proto__":{"admin":true}}'),
  post('/api/auth/token', 'email=a', { 'content-type': 'application/x-www-form-urlencoded' }),
  post('/api/auth/token', { grant_type: 'refresh_token', refresh_token: 'A'.repeat(70) }),
  post('/api/auth/token', '['.repeat(5_000)),
  post('/api/users/invite', { email: 'thief@faults.example', role: 'admin' }),
  { path: `/api/workspaces/${place}` },
  { path: `/api/workspaces/${place}`, token: forged },
  { path: '/api/workspaces/..%2f..%2fusers', token: forged },
  { path: '/api/users?limit=1e3&limit=2' },
  { path: "/api/reports/' OR 1=1 --".replaceAll(' ', '%20') },
  { path: '/api/%ff%fe' },
];

/** A random attack without authentication. */
export const hostile = (random: Random, { workspaces }: TestData): RequestSpec => ({
  op: 'hostile',
  actor: 'nobody',
  from: `10.2.${random.below(250)}.${random.below(250)}`,
  ...random.one(attacks(random.one(workspaces).id)),
});
