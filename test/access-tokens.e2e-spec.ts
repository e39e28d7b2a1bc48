import { createHmac, createPrivateKey, createPublicKey, sign } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { decodeJwt, decodeProtectedHeader, importJWK, type JWK, type JWTPayload, SignJWT } from 'jose';
import { Config } from '../src/core/config/config.js';
import type { User } from '../src/users/user.entity.js';
import { Client } from './support/client.js';
import { makeSigningKey } from './support/environment.js';
import { password } from './support/factory.js';
import { type Service, startService } from './support/service.js';

const hashes: Record<string, string> = { RS384: 'sha384', RS512: 'sha512' };
const header = { alg: 'RS256', typ: 'at+jwt', kid: 'test-1' };

interface Issued {
  access_token: string;
  expires_in: number;
}

let service: Service;
let key: JWK;
let ada: User;
let issued: Issued;
let token: string;
let claims: JWTPayload;

beforeAll(async () => {
  service = await startService();
  key = service.app.get(Config).auth.signingKeys.read()[0] as JWK;
});
afterAll(() => service.close());

beforeEach(async () => {
  ada = await service.factory.user();
  const { email } = ada;
  issued = (await service.api.post<Issued>('/api/auth/token', { email, password })).body;
  token = issued.access_token;
  claims = decodeJwt(token);
});

const me = (bearer: string) => new Client(service.url, bearer).get('/api/users/me');

const signed = async (change: object, head: object = {}, by: JWK = key): Promise<string> =>
  new SignJWT({ ...claims, ...change })
    .setProtectedHeader({ ...header, ...head })
    .sign(await importJWK(by, 'RS256'));

/** With our own key, whatever the header says. */
const rawlySigned = (head: unknown, hash = 'sha256'): string => {
  const text = `${part(head)}.${part(claims)}`;
  const signature = sign(hash, Buffer.from(text), createPrivateKey({ key, format: 'jwk' }));
  return `${text}.${signature.toString('base64url')}`;
};
const signedBy = (alg: string): string => rawlySigned({ ...header, alg }, hashes[alg]);

const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

describe('an access token', () => {
  test('JWT-14 is valid for the stated 3600 s, as is a token signed by this test', async () => {
    expect(issued).toMatchObject({ expires_in: 3600, token_type: 'Bearer' });
    expect((claims.exp as number) - (claims.iat as number)).toBe(3600);
    expect((await me(token)).status).toBe(200);
    expect((await me(await signed({}))).status).toBe(200);
  });

  test('JWT-08 is rejected after an hour and 30 seconds', async () => {
    // The token was issued some time ago.
    service.clock.advance(3600);
    expect((await me(token)).status).toBe(200);
    service.clock.advance(30);
    expect((await me(token)).status).toBe(401);
  });

  test('JWT-09 JWT-18 of a replica whose clock is up to 30 seconds ahead is accepted', async () => {
    const now = Math.floor(service.clock.now().getTime() / 1000);
    expect((await me(await signed({ iat: now + 25, exp: now + 25 + 3600 }))).status).toBe(200);
    expect((await me(await signed({ iat: now + 60, exp: now + 60 + 3600 }))).status).toBe(401);
    expect((await me(await signed({ iat: now, exp: now + 3601 }))).status).toBe(401);
  });

  test('JWT-16 contains no personal data', () => {
    expect(Object.keys(claims).toSorted()).toEqual(['aud', 'exp', 'iat', 'iss', 'jti', 'sid', 'sub']);
    expect(token.split('.').map((each) => Buffer.from(each, 'base64url').toString())).not.toContain(
      ada.email,
    );
    expect(Object.keys(decodeProtectedHeader(token)).toSorted()).toEqual(['alg', 'kid', 'typ']);
  });

  test.each([
    ['SES-09 the user is disabled', `UPDATE users SET status = 'disabled' WHERE id = $1`],
    ['its session ends', 'UPDATE sessions SET ended_at = now() WHERE user_id = $1'],
  ])(
    'is rejected within 5 s after %s by direct SQL, although its principal is cached',
    async (_name, change) => {
      expect((await me(token)).status).toBe(200);
      await service.database.query(change, [ada.id]);
      service.clock.advance(5);
      expect((await me(token)).status).toBe(401);
    },
  );

  test.each([
    ['JWT-07 for another audience', { aud: 'portal' }],
    ['JWT-07 for several audiences', { aud: ['vitrine', 'portal'] }],
    ['JWT-07 for the right audience in a list', { aud: ['vitrine'] }],
    ['JWT-06 of another issuer', { iss: 'https://elsewhere.test' }],
    ['JWT-09 valid for more than an hour', { exp: 4_102_444_800 }],
    ['JWT-06 without exp', { exp: undefined }],
    ['JWT-09 issued in the future', { iat: 4_102_444_800, exp: 4_102_445_000 }],
    ['JWT-06 without jti', { jti: undefined }],
    ['JWT-06 without iat', { iat: undefined }],
    ['JWT-06 without an issuer', { iss: undefined }],
    ['JWT-06 without an audience', { aud: undefined }],
    ['JWT-06 without a session', { sid: undefined }],
    ['JWT-06 without sub', { sub: undefined }],
    ['JWT-06 of another user', { sub: '01900000-0000-7000-8000-000000000000' }],
    ['JWT-06 of no session', { sid: 'x' }],
    ['JWT-06 of an unknown session', { sid: '01900000-0000-7000-8000-000000000000' }],
    ['JWT-10 with a string as exp', { exp: '4102444800' }],
    ['JWT-10 with a fractional exp', { exp: 1.5 }],
    ['JWT-10 with an iat that is too large', { iat: 1e300 }],
    ['JWT-10 with a list as sub', { sub: ['01900000-0000-7000-8000-000000000000'] }],
    ['JWT-10 with an object as sub', { sub: { $ne: null } }],
    ['JWT-10 with true as sid', { sid: true }],
    ['JWT-10 with SQL as sid', { sid: "' OR 1=1 --" }],
    ['JWT-10 with a number as jti', { jti: 7 }],
    ['JWT-10 with null as iss', { iss: null }],
    ['JWT-10 with an object as aud', { aud: { vitrine: true } }],
  ])('%s is rejected', async (_name, change) => {
    expect((await me(await signed(change))).status).toBe(401);
  });

  test.each([
    ['JWT-05 with another typ', { typ: 'JWT' }],
    ['JWT-05 without typ', { typ: undefined }],
    ['JWT-03 with an unknown kid', { kid: 'test-2' }],
    ['JWT-03 without kid', { kid: undefined }],
    ['JWT-03 with a file path as kid', { kid: '../../dev/null' }],
    ['JWT-03 with SQL as kid', { kid: "x' UNION SELECT 'secret" }],
    ['JWT-03 with a property of every object as kid', { kid: '__proto__' }],
    ['JWT-03 with a list as kid', { kid: ['test-1'] }],
    ['JWT-03 with an empty kid', { kid: '' }],
  ])('%s is rejected', async (_name, head) => {
    expect((await me(await signed({}, head))).status).toBe(401);
  });

  test('JWT-04 that contains its own key, or the URL of one, is rejected', async () => {
    const own = makeSigningKey('test-1');
    const jwk = createPublicKey({ key: own, format: 'jwk' }).export({ format: 'jwk' });
    const url = 'http://127.0.0.1:9/keys.json';
    for (const head of [{ jwk }, { jku: url }, { x5u: url }, { x5c: ['MIIB'] }, { kid: 'own', jwk }]) {
      expect((await me(await signed({}, head, own))).status).toBe(401);
    }
    expect((await me(await signed({}, { jku: url, jwk }))).status).toBe(200);
  });

  test('JWT-01 JWT-02 without a signature, or signed with the public key as an HMAC secret, is rejected', async () => {
    const pem = createPublicKey({ key, format: 'jwk' }).export({ type: 'spki', format: 'pem' });
    const none = `${part({ ...header, alg: 'none' })}.${part(claims)}.`;
    const body = `${part({ ...header, alg: 'HS256' })}.${part(claims)}`;
    const mac = createHmac('sha256', pem).update(body).digest('base64url');
    expect((await me(none)).status).toBe(401);
    expect((await me(`${body}.${mac}`)).status).toBe(401);
  });

  test.each(['None', 'NONE', 'RS384', 'RS512', 'PS256', 'rs256', 'HS512', ''])(
    'JWT-01 with the algorithm %j is rejected',
    async (alg) => {
      const [, body, signature] = token.split('.');
      expect((await me(`${part({ ...header, alg })}.${body}.${signature}`)).status).toBe(401);
      expect((await me(signedBy(alg))).status).toBe(401);
    },
  );

  test.each([
    ['an unknown critical parameter', { ...header, crit: ['exp'], exp: 1 }],
    ['an empty list of critical parameters', { ...header, crit: [] }],
    ['null', null],
    ['a list', [header]],
    ['a string', 'RS256'],
  ])('JWT-15 whose header is, or requires, %s is rejected', async (_name, head) => {
    expect((await me(rawlySigned(head))).status).toBe(401);
    expect((await me(rawlySigned(header))).status).toBe(200);
  });

  test('JWT-11 with a changed claim or signature bit is rejected', async () => {
    const [head, body, signature = ''] = token.split('.');
    const bytes = Buffer.from(signature, 'base64url');
    bytes[7]! ^= 1;
    expect((await me(`${head}.${body}.${bytes.toString('base64url')}`)).status).toBe(401);
    expect((await me(`${head}.${body}.`)).status).toBe(401);
    expect((await me(`${head}.${body}`)).status).toBe(401);
    expect((await me(`${head}.${part({ ...claims, role: 'admin' })}.${signature}`)).status).toBe(401);
  });

  test('JWT-17 of more than 4 kB is rejected even with a valid signature', async () => {
    const fits = await signed({ more: 'x'.repeat(2000) });
    const tooLong = await signed({ more: 'x'.repeat(3000) });
    expect([fits.length <= 4096, tooLong.length > 4096]).toEqual([true, true]);
    expect((await me(fits)).status).toBe(200);
    expect((await me(tooLong)).status).toBe(401);
  });

  test.each(['x', 'a.b', 'a.b.c', '....', `${'a'.repeat(5000)}.b.c`])(
    'JWT-15 %.20s is rejected',
    async (text) => {
      expect((await me(text)).status).toBe(401);
    },
  );

  test.each(['Basic YWRhOmFkYQ==', 'Bearer', 'bearer', ''])(
    'AZ-01 the Authorization header %j is rejected',
    async (authorization) => {
      expect((await service.api.get('/api/users/me', { authorization })).status).toBe(401);
    },
  );

  test('AZ-01 is accepted in the Authorization header only', async () => {
    expect((await service.api.get(`/api/users/me?access_token=${token}`)).status).toBe(401);
    expect((await service.api.get('/api/users/me', { cookie: `access_token=${token}` })).status).toBe(401);
  });
});

describe('GET /.well-known/jwks.json', () => {
  test('JWT-02 200: only the public parts of the keys, cacheable for a minute', async () => {
    const { status, headers, body } = await service.api.get<{ keys: object[] }>('/.well-known/jwks.json');
    expect(status).toBe(200);
    expect(headers.get('cache-control')).toBe('public, max-age=60');
    expect(body.keys.map((each) => Object.keys(each).toSorted())).toEqual([
      ['alg', 'e', 'kid', 'kty', 'n', 'use'],
    ]);
  });
});
