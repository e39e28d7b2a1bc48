import { createPublicKey, type KeyObject, verify } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { Pool } from 'pg';
import { listen, read, refuse, send } from './floor-parts.js';

const PAGE = 25;

interface Route {
  /** Matches method and URL; the group is the report's id. */
  request: RegExp;
  /** Name of the prepared statement. */
  name: string;
  /** `$1` is the caller's id, `$2` the report's. */
  text: string;
  /** Undefined results in a 404. */
  bodyOf: (rows: object[]) => object | undefined;
}

interface Key {
  kid: string;
  key: KeyObject;
}

const granted = `(SELECT workspace_id FROM grants
  WHERE user_id = $1 AND report_id IS NULL AND (expires_at IS NULL OR expires_at > now()))`;

const reportColumns = `id, name, description, workspace_id, pbi_report_id, pbi_dataset_id, report_type, web_url, updated_at`;

const oneReport = `SELECT ${reportColumns} FROM reports
  WHERE retired_at IS NULL AND workspace_id IN ${granted} AND id = $2`;

// One row more than the page, as the service needs to know whether there is a next page.
const routesFor = (embedToken: object): Route[] => [
  {
    request: /^GET \/api\/workspaces\?/,
    name: 'workspaces',
    text: `SELECT id, name, pbi_workspace_id, report_count FROM workspaces
           WHERE retired_at IS NULL AND id IN ${granted} ORDER BY name_key, id LIMIT ${PAGE + 1}`,
    bodyOf: (rows) => ({ workspaces: rows.slice(0, PAGE) }),
  },
  {
    request: /^GET \/api\/reports\?/,
    name: 'reports',
    text: `SELECT ${reportColumns} FROM reports
           WHERE retired_at IS NULL AND workspace_id IN ${granted} ORDER BY name_key, id LIMIT ${PAGE + 1}`,
    bodyOf: (rows) => ({ reports: rows.slice(0, PAGE) }),
  },
  {
    request: /^GET \/api\/reports\/([^/]+)$/,
    name: 'report',
    text: oneReport,
    bodyOf: ([report]) => report,
  },
  {
    request: /^POST \/api\/reports\/([^/]+)\/embed-token$/,
    name: 'report',
    text: oneReport,
    bodyOf: ([report]) => report && embedToken,
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
 * after the statement that authorizes the caller; nothing is written.
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
    for (const { request: pattern, name, text, bodyOf } of routes) {
      const match = pattern.exec(line);
      if (match === null) continue;
      const { rows } = await pool.query<object>({ name, text, values: [caller, ...match.slice(1)] });
      const body = bodyOf(rows);
      return body === undefined ? refuse(response, 404) : send(response, JSON.stringify(body));
    }
    refuse(response, 404);
  });
}
