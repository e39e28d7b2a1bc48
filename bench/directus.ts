import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { freePort } from '../local/free-port.js';
import type { TestBed } from './test-bed.js';
import { collections, indexes, relations } from './directus-schema.js';
import { admin, waitUntilReady, fetchJson } from './parts.js';
import { requestAs, type BenchUser } from './bench-users.js';
import type { RequestSpec } from './wrk.js';

const run = promisify(execFile);

/** The last version whose custom access policies need no license. */
const VERSION = '11.16.1';
const folder =
  process.env.BENCH_DIRECTUS ??
  fileURLToPath(new URL('../../node_modules/.cache/bench-directus', import.meta.url));
const cli = join(folder, 'node_modules/directus/cli.js');
const installed = join(folder, `installed-${VERSION}`);
const adminToken = 'the-admins-token-for-one-benchmark';
const CHUNK = 10_000;
const maxBuffer = 64 * 1024 * 1024;

interface Named {
  name: string;
}

const names = (items: readonly Named[]): string => items.map(({ name }) => name).join('\n');

/**
 * Installs Directus once, outside the project's dependencies, because it is large. Install scripts are off: the only module
 * that would be compiled is the sandbox of extensions, which is replaced by an empty one.
 */
async function install(): Promise<void> {
  if (existsSync(installed)) return;
  console.error(
    `   npm install directus@${VERSION} in ${folder}: 700 MB, takes some minutes, kept for later runs`,
  );
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
  const args = ['install', '--no-audit', '--no-fund', '--ignore-scripts', `directus@${VERSION}`];
  await run('npm', args, { cwd: folder, maxBuffer });
  writeFileSync(join(folder, 'node_modules/isolated-vm/isolated-vm.js'), 'module.exports = {};\n');
  writeFileSync(installed, '');
}

/** Directus stores a static token unhashed. */
const tokenOf = ({ id }: BenchUser): string => `token-${id}`;

/** The same page as `GET /api/workspaces?limit=25`. */
export const directusWorkspaces = (user: BenchUser): RequestSpec =>
  requestAs(
    { token: tokenOf(user) },
    '/items/workspaces?limit=25&sort=name&fields=id,name,pbi_workspace_id,report_count',
  );

/** Creates a role that may read the workspaces of the caller's memberships. Returns its id. */
async function createRole(url: string): Promise<string> {
  const post = <T>(path: string, body: object) => fetchJson<T>(`${url}${path}`, adminToken, 'POST', body);
  const { data: role } = await post<{ data: { id: string } }>('/roles', { name: 'Member' });
  const { data: policy } = await post<{ data: { id: string } }>('/policies', { name: 'Own workspaces' });
  await post('/access', { role: role.id, policy: policy.id });
  await post('/permissions', {
    policy: policy.id,
    collection: 'workspaces',
    action: 'read',
    fields: ['id', 'name', 'pbi_workspace_id', 'report_count'],
    permissions: { memberships: { _some: { user_id: { _eq: '$CURRENT_USER' } } } },
  });
  return role.id;
}

/** By SQL: the API takes minutes for thousands of users. */
async function addUsers(to: Client, users: readonly BenchUser[], roleId: string): Promise<void> {
  await to.query(
    `INSERT INTO directus_users (id, email, token, role)
     SELECT id, email, token, $4::uuid FROM unnest($1::uuid[], $2::text[], $3::text[]) AS person (id, email, token)`,
    [users.map(({ id }) => id), users.map(({ email }) => email), users.map(tokenOf), roleId],
  );
}

/** Copies the service's rows; of the memberships only those of `people`. */
async function copyRows(from: Client, to: Client, users: readonly BenchUser[]): Promise<void> {
  const ids = users.map(({ id }) => id);
  for (const table of ['workspaces', 'memberships', 'reports']) {
    const isFiltered = table === 'memberships';
    const columns = collections
      .find(({ collection }) => collection === table)
      ?.fields.map(({ field }) => field)
      .filter((field) => field !== 'memberships' && !(isFiltered && field === 'id'))
      .join(', ');
    for (let offset = 0, copied = CHUNK; copied === CHUNK; offset += CHUNK) {
      const { rows } = await from.query<{ rows: string; count: number }>(
        `SELECT coalesce(json_agg(chunk), '[]')::text AS rows, count(*)::int AS count
         FROM (SELECT * FROM ${table} ${isFiltered ? 'WHERE user_id = ANY($3::uuid[])' : ''}
               ORDER BY 1, 2 OFFSET $1 LIMIT $2) AS chunk`,
        [offset, CHUNK, ...(isFiltered ? [ids] : [])],
      );
      await to.query(
        `INSERT INTO ${table} (${columns}) SELECT ${columns} FROM json_populate_recordset(NULL::${table}, $1)`,
        [rows[0]?.rows],
      );
      copied = rows[0]?.count ?? 0;
    }
  }
  await to.query(indexes);
  await to.query('VACUUM ANALYZE');
}

/** Throws unless both return the same first page of 25 workspaces. */
export async function requireSameWorkspaces(
  testBed: TestBed,
  directusUrl: string,
  user: BenchUser,
): Promise<void> {
  const ours = await fetchJson<{ workspaces: Named[] }>(`${testBed.url}/api/workspaces?limit=25`, user.token);
  const theirs = await fetchJson<{ data: Named[] }>(
    `${directusUrl}${directusWorkspaces(user).path}`,
    tokenOf(user),
  );
  if (ours.workspaces.length !== 25 || names(ours.workspaces) !== names(theirs.data)) {
    throw new Error('Directus returns other workspaces');
  }
}

/**
 * Starts Directus with its own database on the same PostgreSQL, the service's rows, and these people as users. Returns its
 * URL.
 */
export async function startDirectus(testBed: TestBed, users: readonly BenchUser[]): Promise<string> {
  await install();
  await testBed.database.query('CREATE DATABASE directus');
  const databaseUrl = new URL(testBed.databaseUrl);
  databaseUrl.pathname = '/directus';
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const environment = {
    NODE_ENV: 'production',
    HOME: testBed.folder,
    CONFIG_PATH: join(testBed.folder, 'directus.env'),
    HOST: '127.0.0.1',
    PORT: String(port),
    PUBLIC_URL: url,
    DB_CLIENT: 'pg',
    DB_CONNECTION_STRING: databaseUrl.href,
    DB_POOL__MIN: '0',
    DB_POOL__MAX: '10',
    KEY: 'a key for one benchmark, thirty-two or more',
    SECRET: 'a secret for one benchmark, thirty-two or more',
    // Directus rejects the domain of `admin.email`.
    ADMIN_EMAIL: 'admin@example.com',
    ADMIN_PASSWORD: admin.password,
    ADMIN_TOKEN: adminToken,
    CACHE_ENABLED: 'false',
    RATE_LIMITER_ENABLED: 'false',
    TELEMETRY: 'false',
    WEBSOCKETS_ENABLED: 'false',
    SERVE_APP: 'false',
    LOG_LEVEL: 'info',
    STORAGE_LOCAL_ROOT: join(testBed.folder, 'uploads'),
    EXTENSIONS_PATH: join(testBed.folder, 'extensions'),
  };
  writeFileSync(environment.CONFIG_PATH, '');
  const env = { ...environment, PATH: process.env.PATH };
  await run(process.execPath, [cli, 'bootstrap'], { env, maxBuffer });
  testBed.start(cli, environment, ['start']);
  await waitUntilReady(`${url}/server/ping`);
  for (const collection of collections) {
    await fetchJson(`${url}/collections`, adminToken, 'POST', { schema: {}, meta: {}, ...collection });
  }
  for (const relation of relations) {
    await fetchJson(`${url}/relations`, adminToken, 'POST', { schema: {}, ...relation });
  }
  const roleId = await createRole(url);
  const database = new Client({ connectionString: databaseUrl.href });
  await database.connect();
  try {
    await addUsers(database, users, roleId);
    await copyRows(testBed.database, database, users);
  } finally {
    await database.end();
  }
  return url;
}
