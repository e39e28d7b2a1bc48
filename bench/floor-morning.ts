import { createPublicKey, type KeyObject, verify } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { Pool } from 'pg';
import { listen, read, refuse, send } from './floor-parts.js';
import {
  issueToken,
  PAGE,
  report,
  reports,
  type Statement,
  tokenValues,
  workspaces,
} from './morning-statements.js';

interface Route {
  /** Matches method and URL; the group is the report's id. */
  request: RegExp;
  statement: Statement;
  /** Without it, the values are the ids of the caller and of the report. */
  valuesOf?: (caller: string, report: string) => string[];
  /** Undefined results in a 404. */
  bodyOf: (rows: object[]) => object | undefined;
}

interface Key {
  kid: string;
  key: KeyObject;
}

const routesFor = (embedToken: object): Route[] => [
  {
    request: /^GET \/api\/workspaces\?/,
    statement: workspaces,
    bodyOf: (rows) => ({ workspaces: rows.slice(0, PAGE) }),
  },
  {
    request: /^GET \/api\/reports\?/,
    statement: reports,
    bodyOf: (rows) => ({ reports: rows.slice(0, PAGE) }),
  },
  {
    request: /^GET \/api\/reports\/([^/]+)$/,
    statement: report,
    bodyOf: ([found]) => found,
  },
  {
    request: /^POST \/api\/reports\/([^/]+)\/embed-token$/,
    statement: issueToken,
    valuesOf: tokenValues,
    bodyOf: ([issued]) => issued && embedToken,
  },
];

function publicKeys(): Key[] {
  const { keys } = read<{ keys: { kid: string; n: string; e: string }[] }>('JWT_KEYS_FILE');
  return keys.map(({ kid, n, e }) => ({
    kid,
    key: createPublicKey({ key: { kty: 'RSA', n, e }, format: 'jwk' }),
  }));
}

const decoded = <T>(part = ''): T => JSON.parse(Buffer.from(part, 'base64url').toString()) as T;

/** The caller's id if signature and expiry are valid; without a library and without a cache. */
function callerOf(keys: readonly Key[], { headers }: IncomingMessage): string | undefined {
  const token = headers.authorization?.slice('Bearer '.length) ?? '';
  const [head, claims, signature = ''] = token.split('.');
  const { kid } = decoded<{ kid: string }>(head);
  const key = keys.find((each) => each.kid === kid);
  if (key === undefined) return undefined;
  const signed = Buffer.from(`${head}.${claims}`);
  if (!verify('RSA-SHA256', signed, key.key, Buffer.from(signature, 'base64url'))) return undefined;
  const { sub, exp } = decoded<{ sub: string; exp: number }>(claims);
  return exp > Date.now() / 1000 ? sub : undefined;
}

/**
 * The four requests of a morning with one prepared statement each. The embed token, `BODY_FILE`, is returned from memory
 * after the statement that authorizes the caller and writes the rows of the token.
 */
export function morningFloor(): void {
  const keys = publicKeys();
  const routes = routesFor(read<object>('BODY_FILE'));
  const pool = new Pool({ connectionString: process.env.DATABASE_URL, max: 10 });
  listen(async (request, response) => {
    if (request.url === '/') return send(response, '{}');
    const caller = callerOf(keys, request);
    if (caller === undefined) return refuse(response, 401);
    const line = `${request.method} ${request.url}`;
    for (const { request: pattern, statement, valuesOf, bodyOf } of routes) {
      const match = pattern.exec(line);
      if (match === null) continue;
      const [, id = ''] = match;
      const values = valuesOf?.(caller, id) ?? [caller, ...match.slice(1)];
      const { rows } = await pool.query<object>({ ...statement, values });
      const body = bodyOf(rows);
      return body === undefined ? refuse(response, 404) : send(response, JSON.stringify(body));
    }
    refuse(response, 404);
  });
}
