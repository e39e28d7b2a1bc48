import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { freePort } from '../local/free-port.js';
import type { Bed } from './bed.js';
import { admin, answers, askJson } from './parts.js';
import type { Person } from './people.js';

const run = promisify(execFile);

/** The last that lets everybody write rules of their own for who reads what; from 12 on that needs a licence. */
const VERSION = '11.16.1';
const folder =
  process.env.BENCH_DIRECTUS ??
  fileURLToPath(new URL('../../node_modules/.cache/bench-directus', import.meta.url));
const cli = join(folder, 'node_modules/directus/cli.js');
const installed = join(folder, `installed-${VERSION}`);
const adminToken = 'the-admins-token-for-one-benchmark';
const CHUNK = 10_000;
const maxBuffer = 64 * 1024 * 1024;

/**
 * Once: it is no dependency of the project, and large. Nothing of it is compiled; the one module that would have to be is
 * the sandbox of extensions, of which there are none here.
 */
async function install(): Promise<void> {
  if (existsSync(installed)) return;
  console.error(
    `   npm install directus@${VERSION} in ${folder}: 700 MB, some minutes, kept for the next time`,
  );
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
  const args = ['install', '--no-audit', '--no-fund', '--ignore-scripts', `directus@${VERSION}`];
  await run('npm', args, { cwd: folder, maxBuffer });
  writeFileSync(join(folder, 'node_modules/isolated-vm/isolated-vm.js'), 'module.exports = {};\n');
  writeFileSync(installed, '');
}

const uuid = (field: string, isKey = false) => ({
  field,
  type: 'uuid',
  schema: { is_primary_key: isKey, is_nullable: !isKey },
});
const text = (field: string) => ({ field, type: 'text' });

/** The columns that Vitrine's lists read, under the same names. */
const collections = [
  {
    collection: 'workspaces',
    fields: [
      uuid('id', true),
      text('name'),
      uuid('pbi_workspace_id'),
      { field: 'report_count', type: 'integer' },
      { field: 'memberships', type: 'alias', meta: { special: ['o2m'] } },
    ],
  },
  {
    collection: 'memberships',
    fields: [
      { field: 'id', type: 'integer', schema: { is_primary_key: true, has_auto_increment: true } },
      uuid('user_id'),
      uuid('workspace_id'),
      text('role'),
    ],
  },
  {
    collection: 'reports',
    fields: [
      uuid('id', true),
      uuid('workspace_id'),
      uuid('pbi_report_id'),
      ...['pbi_dataset_id', 'name', 'description', 'report_type', 'web_url', 'embed_url'].map(text),
      { field: 'updated_at', type: 'timestamp' },
    ],
  },
];

const relations = [
  {
    collection: 'memberships',
    field: 'workspace_id',
    related_collection: 'workspaces',
    meta: { one_field: 'memberships' },
  },
  { collection: 'memberships', field: 'user_id', related_collection: 'directus_users' },
  { collection: 'reports', field: 'workspace_id', related_collection: 'workspaces' },
];

/** What its own guide to performance would have: an index for each thing that is looked up or sorted by. */
const indexes = `CREATE INDEX ON memberships (user_id, workspace_id);
  CREATE INDEX ON memberships (workspace_id, user_id);
  CREATE INDEX ON reports (workspace_id);
  CREATE INDEX ON workspaces (name)`;

/** A member, whom a policy lets read the workspaces with a membership of that person and no others. */
async function admit(url: string, { id }: Person, token: string): Promise<void> {
  const post = <T>(path: string, body: object) => askJson<T>(`${url}${path}`, adminToken, 'POST', body);
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
  await post('/users', { id, email: 'member@example.com', password: admin.password, role: role.id, token });
}

/** The same rows as in Vitrine's own tables. */
async function copyRows(from: Client, to: Client, { id }: Person): Promise<void> {
  for (const table of ['workspaces', 'memberships', 'reports']) {
    const where = table === 'memberships' ? `user_id = '${id}'` : 'true';
    const columns = collections
      .find(({ collection }) => collection === table)
      ?.fields.map(({ field }) => field)
      .filter((field) => field !== 'memberships' && !(table === 'memberships' && field === 'id'))
      .join(', ');
    for (let offset = 0, copied = CHUNK; copied === CHUNK; offset += CHUNK) {
      const { rows } = await from.query<{ rows: string; count: number }>(
        `SELECT coalesce(json_agg(chunk), '[]')::text AS rows, count(*)::int AS count
         FROM (SELECT * FROM ${table} WHERE ${where} ORDER BY 1, 2 OFFSET $1 LIMIT $2) AS chunk`,
        [offset, CHUNK],
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

/** Directus with a database of its own on the same server and the rows of `person`; its address. */
export async function startDirectus(bed: Bed, person: Person, token: string): Promise<string> {
  await install();
  await bed.database.query('CREATE DATABASE directus');
  const databaseUrl = new URL(bed.databaseUrl);
  databaseUrl.pathname = '/directus';
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const environment = {
    NODE_ENV: 'production',
    HOME: bed.folder,
    CONFIG_PATH: join(bed.folder, 'directus.env'),
    HOST: '127.0.0.1',
    PORT: String(port),
    PUBLIC_URL: url,
    DB_CLIENT: 'pg',
    DB_CONNECTION_STRING: databaseUrl.href,
    DB_POOL__MIN: '0',
    DB_POOL__MAX: '10',
    KEY: 'a key for one benchmark, thirty-two or more',
    SECRET: 'a secret for one benchmark, thirty-two or more',
    // It takes no address that cannot be.
    ADMIN_EMAIL: 'admin@example.com',
    ADMIN_PASSWORD: admin.password,
    ADMIN_TOKEN: adminToken,
    CACHE_ENABLED: 'false',
    RATE_LIMITER_ENABLED: 'false',
    TELEMETRY: 'false',
    WEBSOCKETS_ENABLED: 'false',
    SERVE_APP: 'false',
    LOG_LEVEL: 'info',
    STORAGE_LOCAL_ROOT: join(bed.folder, 'uploads'),
    EXTENSIONS_PATH: join(bed.folder, 'extensions'),
  };
  writeFileSync(environment.CONFIG_PATH, '');
  const env = { ...environment, PATH: process.env.PATH };
  await run(process.execPath, [cli, 'bootstrap'], { env, maxBuffer });
  bed.start(cli, environment, ['start']);
  await answers(`${url}/server/ping`);
  for (const collection of collections) {
    await askJson(`${url}/collections`, adminToken, 'POST', { schema: {}, meta: {}, ...collection });
  }
  for (const relation of relations) {
    await askJson(`${url}/relations`, adminToken, 'POST', { schema: {}, ...relation });
  }
  await admit(url, person, token);
  const database = new Client({ connectionString: databaseUrl.href });
  await database.connect();
  try {
    await copyRows(bed.database, database, person);
  } finally {
    await database.end();
  }
  return url;
}
