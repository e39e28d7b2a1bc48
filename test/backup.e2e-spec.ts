import { execFileSync } from 'node:child_process';
import { chownSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { Client } from 'pg';
import { serverAccount } from '../local/account.js';
import { freePort } from '../local/free-port.js';
import { findPostgres, PostgresServer } from './faults/parts/postgres.js';
import { Client as Api } from './support/client.js';
import { createEmptyDatabase, type TestDatabase } from './support/database.js';
import { password } from './support/factory.js';
import { startInProcessReplica } from './support/replicas.js';
import { type Service, startService } from './support/service.js';

const query = async <T extends object>(url: string, sql: string): Promise<T[]> => {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<T>(sql)).rows;
  } finally {
    await client.end();
  }
};

const bin = findPostgres();
const folder = mkdtempSync(join(tmpdir(), 'vitrine-backup-'));
const account = serverAccount(folder);
if (account.uid !== undefined && account.gid !== undefined) chownSync(folder, account.uid, account.gid);

/** The options of docs/backup.md. */
const [, options = ''] = /pg_restore ([^]*?) --dbname=/.exec(readFileSync('docs/backup.md', 'utf8')) ?? [];

/** Of each table how many rows it has and a hash over them, whatever their order. */
async function hashesOf(url: string): Promise<Record<string, string>> {
  const tables = await query<{ name: string }>(
    url,
    `SELECT c.oid::regclass::text AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE c.relkind = 'r' AND n.nspname IN ('public', 'pgboss') ORDER BY 1`,
  );
  const hashes: Record<string, string> = {};
  for (const { name } of tables) {
    const [row] = await query<{ hash: string }>(
      url,
      `SELECT count(*) || ' ' || coalesce(md5(string_agg(md5(t::text), '' ORDER BY md5(t::text))), '-') AS hash FROM ${name} t`,
    );
    hashes[name] = row?.hash ?? '';
  }
  return hashes;
}

describe('DUR-11: a backup', () => {
  let service: Service;
  let restored: TestDatabase;

  let server: PostgresServer;

  // Debian's server: the one that comes with the package has no pg_dump.
  beforeAll(async () => {
    server = new PostgresServer('server', bin, folder, await freePort(), account);
    server.run('initdb', ['-D', server.data, '-U', 'postgres', '--auth=trust', '-E', 'UTF8', '--no-sync']);
    server.configure([`port = ${server.port}`, "unix_socket_directories = ''", 'fsync = off']);
    await server.start();
    jest.replaceProperty(process, 'env', {
      ...process.env,
      TEST_DATABASE_URL: `postgres://postgres@127.0.0.1:${server.port}/postgres`,
    });
    service = await startService();
    restored = await createEmptyDatabase();
    // A managed server, whose owner of the database may not create the extension.
    const name = new URL(restored.url).pathname.slice(1);
    await query(
      restored.url,
      `CREATE ROLE vitrine; ALTER DATABASE ${name} OWNER TO vitrine; CREATE EXTENSION pg_trgm SCHEMA public`,
    );
  }, 120_000);
  afterAll(async () => {
    await service?.close();
    jest.restoreAllMocks();
    await server.child?.stop('SIGQUIT');
    rmSync(folder, { recursive: true });
  });

  test('restores every row, and users sign in as before', async () => {
    const ada = await service.factory.user();
    await service.as(ada);
    await service.sync();
    await service.waitForJobs();
    const file = join(folder, 'vitrine.dump');
    const dump = ['--format=custom', '--no-owner', '--no-privileges', `--file=${file}`, service.databaseUrl];
    execFileSync(join(bin, 'pg_dump'), dump);
    expect(options).toContain('--role=vitrine');
    const restore = [...options.split(/[\s\\]+/), `--dbname=${restored.url}`, file];
    execFileSync(join(bin, 'pg_restore'), restore);
    const [before, after] = [await hashesOf(service.databaseUrl), await hashesOf(restored.url)];
    expect(Object.keys(after)).toEqual(Object.keys(before));
    // Cleanup and rollup go on in the meantime.
    const ours = (hashes: Record<string, string>) =>
      Object.entries(hashes).filter(
        ([name]) => !/^(pgboss\.|power_bi_|rate_limits|change_epochs|usage_state)/.test(name),
      );
    expect(ours(after)).toEqual(ours(before));
    expect(ours(after).length).toBeGreaterThan(15);
    const environment = {
      ...service.environment,
      DATABASE_URL: restored.url,
      DATABASE_DIRECT_URL: restored.url,
    };
    const replica = await startInProcessReplica({ ...service, environment });
    const nobody = replica.as(new Api(service.url));
    const signedIn = await nobody.post('/api/auth/token', { email: ada.email, password });
    expect(signedIn.status).toBe(200);
    await expect(query(restored.url, 'DELETE FROM audit_events')).rejects.toThrow(/append-only/);
    await replica.close();
  });
});
