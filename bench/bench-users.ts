import { randomUUID } from 'node:crypto';
import type { TestBed } from './test-bed.js';
import { admin } from './parts.js';
import { signerOf } from './signer.js';
import type { RequestSpec } from './wrk.js';

export interface BenchUser {
  id: string;
  email: string;
  /** An access token, valid for an hour. */
  token: string;
}

/**
 * Signs users in: their sessions are inserted into the table and their tokens signed with the key of the service, because
 * thousands of sign-ins would take longer than the measurement.
 */
export async function openSessions(
  { database, jwtKeysFile, url }: TestBed,
  people: readonly Pick<BenchUser, 'id' | 'email'>[],
): Promise<BenchUser[]> {
  const signed = signerOf(jwtKeysFile);
  const now = Math.floor(Date.now() / 1000);
  const users = people.map(({ id, email }) => {
    const sid = randomUUID();
    const claims = { iss: url, aud: 'vitrine', sub: id, sid, jti: randomUUID(), iat: now, exp: now + 3600 };
    return { id, sid, email, token: signed(claims) };
  });
  await database.query(
    `INSERT INTO sessions (id, user_id, method, salt, counter, ip, user_agent, created_at, rotated_at, last_used_at,
                           expires_at)
     SELECT id, user_id, 'password', sha256(id::text::bytea), 0, '127.0.0.1', 'bench', now(), now(), now(),
            now() + interval '30 days'
     FROM unnest($1::uuid[], $2::uuid[]) AS session (id, user_id)`,
    [users.map(({ sid }) => sid), users.map(({ id }) => id)],
  );
  await database.query('VACUUM ANALYZE users, sessions');
  return users.map(({ id, email, token }) => ({ id, email, token }));
}

/** Members with the password of the first admin, signed in. */
export async function createUsers(testBed: TestBed, count: number): Promise<BenchUser[]> {
  const users = Array.from({ length: count }, () => {
    const id = randomUUID();
    return { id, email: `${id}@vitrine.example` };
  });
  await testBed.database.query(
    `INSERT INTO users (id, email, name, role, status, password_hash, created_at)
     SELECT person.id, person.id || '@vitrine.example', 'Member', 'member', 'active', password_hash, now()
     FROM unnest($1::uuid[]) AS person (id), users WHERE email = $2`,
    [users.map(({ id }) => id), admin.email],
  );
  return openSessions(testBed, users);
}

/** A request with the user's token. */
export const requestAs = (
  { token }: Pick<BenchUser, 'token'>,
  path: string,
  method = 'GET',
): RequestSpec => ({
  path,
  method,
  headers: { Authorization: `Bearer ${token}` },
});
