import { createPublicKey, type KeyObject, verify } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import express from 'express';
import { Pool } from 'pg';

/**
 * What the service is held against, in one program: the least that the same work costs in Node. `YARDSTICK` says which;
 * each answers the same bytes at every path.
 */
const yardstick = process.env.YARDSTICK ?? '';
const port = Number(process.env.PORT);

interface Statement {
  name: string;
  text: string;
  values: unknown[];
  /** The key of the answer's one property. */
  list: string | null;
}

interface Key {
  kid: string;
  key: KeyObject;
}

const read = <T>(name: string): T => JSON.parse(readFileSync(process.env[name] ?? '', 'utf8')) as T;

function publicKeys(): Key[] {
  const { keys } = read<{ keys: { kid: string; n: string; e: string }[] }>('JWT_KEYS_FILE');
  return keys.map(({ kid, n, e }) => ({
    kid,
    key: createPublicKey({ key: { kty: 'RSA', n, e }, format: 'jwk' }),
  }));
}

const decoded = (part = ''): Record<string, unknown> =>
  JSON.parse(Buffer.from(part, 'base64url').toString()) as Record<string, unknown>;

/** Signature and expiry, by hand: no library, no cache. */
function isValid(keys: readonly Key[], { headers }: IncomingMessage): boolean {
  const token = headers.authorization?.slice('Bearer '.length) ?? '';
  const [head, claims, signature = ''] = token.split('.');
  const key = keys.find(({ kid }) => kid === decoded(head).kid);
  if (key === undefined) return false;
  const signed = Buffer.from(`${head}.${claims}`);
  if (!verify('RSA-SHA256', signed, key.key, Buffer.from(signature, 'base64url'))) return false;
  return Number(decoded(claims).exp) > Date.now() / 1000;
}

function send(response: ServerResponse, body: string): void {
  response.writeHead(200, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
  });
  response.end(body);
}

function refuse(response: ServerResponse, status: number): void {
  response.writeHead(status).end();
}

function floor(): void {
  const keys = publicKeys();
  const statement = read<Statement>('STATEMENT_FILE');
  const pool = new Pool({ connectionString: process.env.DATABASE_URL, max: 10 });
  createServer((request, response) => {
    if (!isValid(keys, request)) {
      refuse(response, 401);
      return;
    }
    void pool.query(statement).then(
      ({ rows }) =>
        send(response, JSON.stringify(statement.list === null ? rows[0] : { [statement.list]: rows })),
      (error: unknown) => {
        console.error(error);
        refuse(response, 500);
      },
    );
  }).listen(port, '127.0.0.1');
}

function echoFloor(): void {
  const keys = publicKeys();
  const body = read<object>('BODY_FILE');
  createServer((request, response) => {
    if (isValid(keys, request)) send(response, JSON.stringify(body));
    else refuse(response, 401);
  }).listen(port, '127.0.0.1');
}

function constant(): void {
  const body = JSON.stringify(read<object>('BODY_FILE'));
  createServer((_request, response) => send(response, body)).listen(port, '127.0.0.1');
}

function expressConstant(): void {
  const body = read<object>('BODY_FILE');
  express()
    .get('/', (_request, response) => void response.json(body))
    .listen(port, '127.0.0.1');
}

const yardsticks: Record<string, () => void> = { floor, echoFloor, constant, expressConstant };
const start = yardsticks[yardstick];
if (start === undefined) throw new Error(`No such yardstick: ${yardstick}`);
start();
