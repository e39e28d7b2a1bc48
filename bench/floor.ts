import { createPublicKey, type KeyObject, verify } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import express from 'express';
import { Pool } from 'pg';
import { listen, read, refuse, send } from './floor-parts.js';
import { signInEcho, signInFloor } from './floor-sign-in.js';

/**
 * What the service is held against, in one program: the least that the same work costs in Node. `YARDSTICK` says which;
 * each answers the same bytes at every path.
 */
const yardstick = process.env.YARDSTICK ?? '';
const port = Number(process.env.PORT);

interface Statement {
  name: string;
  text: string;
  /** Behind the caller's id, which is the first. */
  values: unknown[];
  /** The key of the answer's one property; null: the answer is the row. */
  list: string | null;
}

interface Claims {
  sub: string;
  exp: number;
}

interface Key {
  kid: string;
  key: KeyObject;
}

function publicKeys(): Key[] {
  const { keys } = read<{ keys: { kid: string; n: string; e: string }[] }>('JWT_KEYS_FILE');
  return keys.map(({ kid, n, e }) => ({
    kid,
    key: createPublicKey({ key: { kty: 'RSA', n, e }, format: 'jwk' }),
  }));
}

const decoded = <T>(part = ''): T => JSON.parse(Buffer.from(part, 'base64url').toString()) as T;

/** Whoever calls, when signature and expiry are right: by hand, no library, no cache. */
function callerOf(keys: readonly Key[], { headers }: IncomingMessage): string | undefined {
  const token = headers.authorization?.slice('Bearer '.length) ?? '';
  const [head, claims, signature = ''] = token.split('.');
  const { kid } = decoded<{ kid: string }>(head);
  const key = keys.find((each) => each.kid === kid);
  if (key === undefined) return undefined;
  const signed = Buffer.from(`${head}.${claims}`);
  if (!verify('RSA-SHA256', signed, key.key, Buffer.from(signature, 'base64url'))) return undefined;
  const { sub, exp } = decoded<Claims>(claims);
  return exp > Date.now() / 1000 ? sub : undefined;
}

type Answer = (rows: object[]) => object | undefined;

function afterStatement(answerOf: (statement: Statement) => Answer): void {
  const keys = publicKeys();
  const statement = read<Statement>('STATEMENT_FILE');
  const { name, text, values } = statement;
  const answer = answerOf(statement);
  const pool = new Pool({ connectionString: process.env.DATABASE_URL, max: 10 });
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const caller = callerOf(keys, request);
    if (caller === undefined) return refuse(response, 401);
    const { rows } = await pool.query<object>({ name, text, values: [caller, ...values] });
    const body = answer(rows);
    if (body === undefined) refuse(response, 404);
    else send(response, JSON.stringify(body));
  };
  listen(serve);
}

/** Answers the rows. */
const floor = (): void =>
  afterStatement(
    ({ list }) =>
      (rows) =>
        list === null ? rows[0] : { [list]: rows },
  );

/** Looks whether the caller may, and answers what it has in memory. */
const heldFloor = (): void =>
  afterStatement(() => {
    const body = read<object>('BODY_FILE');
    return (rows) => (rows.length === 0 ? undefined : body);
  });

function echoFloor(): void {
  const keys = publicKeys();
  const body = read<object>('BODY_FILE');
  createServer((request, response) => {
    if (callerOf(keys, request) === undefined) refuse(response, 401);
    else send(response, JSON.stringify(body));
  }).listen(port, '127.0.0.1');
}

function constant(): void {
  const body = JSON.stringify(read<object>('BODY_FILE'));
  createServer((_request, response) => send(response, body)).listen(port, '127.0.0.1');
}

function expressConstant(): void {
  const body = read<object>('BODY_FILE');
  express()
    .use((_request, response) => void response.json(body))
    .listen(port, '127.0.0.1');
}

const yardsticks: Record<string, () => void> = {
  floor,
  heldFloor,
  echoFloor,
  constant,
  expressConstant,
  signInFloor,
  signInEcho,
};
const start = yardsticks[yardstick];
if (start === undefined) throw new Error(`No such yardstick: ${yardstick}`);
start();
