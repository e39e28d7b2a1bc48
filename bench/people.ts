import { randomUUID } from 'node:crypto';
import type { Bed } from './bed.js';
import { admin } from './parts.js';
import { signerOf } from './signer.js';
import type { Ask } from './wrk.js';

export interface Person {
  id: string;
  email: string;
  /** An access token, good for an hour. */
  token: string;
}

/**
 * Members whose password is the first admin's. Nobody signs in: their sessions are written into the table and their
 * tokens signed with the service's own key, for thousands of passwords would take longer than what is measured.
 */
export async function makePeople({ database, jwtKeysFile, url }: Bed, count: number): Promise<Person[]> {
  const signed = signerOf(jwtKeysFile);
  const now = Math.floor(Date.now() / 1000);
  const people = Array.from({ length: count }, () => {
    const [sub, sid] = [randomUUID(), randomUUID()];
    const claims = { iss: url, aud: 'vitrine', sub, sid, jti: randomUUID(), iat: now, exp: now + 3600 };
    return { id: sub, sid, email: `${sub}@vitrine.example`, token: signed(claims) };
  });
  const ids = people.map(({ id }) => id);
  await database.query(
    `INSERT INTO users (id, email, name, role, status, password_hash, created_at)
     SELECT person.id, person.id || '@vitrine.example', 'Member', 'member', 'active', password_hash, now()
     FROM unnest($1::uuid[]) AS person (id), users WHERE email = $2`,
    [ids, admin.email],
  );
  await database.query(
    `INSERT INTO sessions (id, user_id, method, salt, counter, ip, user_agent, created_at, rotated_at, last_used_at,
                           expires_at)
     SELECT id, user_id, 'password', sha256(id::text::bytea), 0, '127.0.0.1', 'bench', now(), now(), now(),
            now() + interval '30 days'
     FROM unnest($1::uuid[], $2::uuid[]) AS session (id, user_id)`,
    [people.map(({ sid }) => sid), ids],
  );
  await database.query('VACUUM ANALYZE users, sessions');
  return people.map(({ id, email, token }) => ({ id, email, token }));
}

/** What a person asks, under that person's name. */
export const asked = ({ token }: Pick<Person, 'token'>, path: string, method = 'GET'): Ask => ({
  path,
  method,
  headers: { Authorization: `Bearer ${token}` },
});
