import { randomBytes, randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { verify } from '@node-rs/argon2';
import { Pool } from 'pg';
import { listen, refuse, send } from './floor-parts.js';
import { signerOf } from './signer.js';

interface Person {
  id: string;
  password_hash: string;
}

interface Store {
  /** Counts a guess and finds the user. */
  find: (email: string) => Promise<Person | undefined>;
  /** Resets the guess, creates a session and an audit event. */
  open: (user: Person, email: string, sessionId: string) => Promise<void>;
}

const FIND = `WITH counted AS (
    INSERT INTO rate_limits (key, points, expire) VALUES ($2, 1, $3)
    ON CONFLICT (key) DO UPDATE SET points = rate_limits.points + 1)
  SELECT id, password_hash FROM users WHERE email = $1`;

const OPEN = `WITH person AS (
    UPDATE users SET last_sign_in_at = now() WHERE id = $1 AND status = 'active' AND password_hash = $2),
  forgotten AS (DELETE FROM rate_limits WHERE key = $3),
  opened AS (
    INSERT INTO sessions (id, user_id, method, salt, counter, ip, user_agent, created_at, rotated_at, last_used_at,
                          expires_at)
    VALUES ($4, $1, 'password', $5, 0, '127.0.0.1', 'bench', now(), now(), now(), now() + interval '30 days'))
  INSERT INTO audit_events (id, at, action, outcome, actor_id, target_type, target_id, details)
  VALUES ($6, now(), 'signed_in', 'allowed', $1, 'session', $4, '{"method":"password"}')`;

function inDatabase(): Store {
  const pool = new Pool({ connectionString: process.env.DATABASE_URL, max: 10 });
  const counted = (email: string): string => `floor:${email}`;
  return {
    find: async (email) => {
      const values = [email, counted(email), Date.now() + 900_000];
      return (await pool.query<Person>({ name: 'find', text: FIND, values })).rows[0];
    },
    open: async ({ id, password_hash }, email, sessionId) => {
      const values = [id, password_hash, counted(email), sessionId, randomBytes(32), randomUUID()];
      await pool.query({ name: 'open', text: OPEN, values });
    },
  };
}

/** Reads each user once; writes nothing. */
function inMemory(): Store {
  const { find } = inDatabase();
  const known = new Map<string, Promise<Person | undefined>>();
  return {
    find: (email) => {
      const user = known.get(email) ?? find(email);
      known.set(email, user);
      return user;
    },
    open: () => Promise.resolve(),
  };
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) text += String(chunk);
  return text;
}

/** A GET is the readiness check. */
function signInBy({ find, open }: Store): void {
  const signed = signerOf(process.env.JWT_KEYS_FILE ?? '');
  listen(async (request, response) => {
    if (request.method === 'GET') return send(response, '{}');
    const { email, password } = JSON.parse(await textOf(request)) as { email: string; password: string };
    const user = await find(email);
    if (user === undefined || !(await verify(user.password_hash, password))) return refuse(response, 401);
    const sid = randomUUID();
    await open(user, email, sid);
    const iat = Math.floor(Date.now() / 1000);
    const claims = { aud: 'vitrine', sub: user.id, sid, jti: randomUUID(), iat, exp: iat + 3600 };
    send(response, JSON.stringify({ access_token: signed(claims), token_type: 'Bearer' }));
  });
}

/** A sign-in in two statements: the minimum for counted guesses, sessions and an audit trail. */
export const signInFloor = (): void => signInBy(inDatabase());

/** The same without the database: argon2, HTTP and the signature. */
export const signInEcho = (): void => signInBy(inMemory());
