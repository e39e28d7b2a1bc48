import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Client } from 'pg';
import { Client as Api } from './support/client.js';
import { createEmptyDatabase, type TestDatabase } from './support/database.js';
import { password } from './support/factory.js';
import { startInProcessReplica } from './support/replicas.js';
import { type Service, startService } from './support/service.js';

const server = process.env.TEST_DATABASE_URL ?? '';
const query = async <T extends object>(url: string, sql: string): Promise<T[]> => {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<T>(sql)).rows;
  } finally {
    await client.end();
  }
};

/** Where the tools of this major are, if anywhere: an older one refuses a newer server. */
function toolsOf(major: number): string | undefined {
  const folders = [
    `/usr/lib/postgresql/${major}/bin`,
    `/usr/pgsql-${major}/bin`,
    ...(process.env.PATH ?? '').split(':'),
  ];
  return folders.find((folder) => {
    if (!existsSync(join(folder, 'pg_dump'))) return false;
    const { stdout } = spawnSync(join(folder, 'pg_dump'), ['--version'], { encoding: 'utf8' });
    return Number(/\) (\d+)/.exec(stdout)?.[1]) === major;
  });
}

const [{ version } = { version: 0 }] = await query<{ version: number }>(
  server,
  `SELECT current_setting('server_version_num')::int / 10000 AS version`,
);
const tools = toolsOf(version);

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

  beforeAll(async () => {
    service = await startService();
    restored = await createEmptyDatabase();
  });
  afterAll(async () => {
    await service.close();
    await restored.drop();
  });

  // The server that comes with the package has no tools; a run on a server of one's own has to have them.
  if (tools === undefined && process.env.DATABASE_URL === undefined) {
    test('is not tested without a pg_dump of the same major version as the server', () => {
      console.warn(`DUR-11 is not tried: no pg_dump ${version} on this machine`);
      expect(toolsOf(version)).toBeUndefined();
    });
    return;
  }

  test('restores every row, and users sign in as before', async () => {
    if (tools === undefined)
      throw new Error(`apt-get install postgresql-client-${version}: there is no pg_dump for this server`);
    const ada = await service.factory.user();
    await service.as(ada);
    await service.sync();
    await service.waitForJobs();
    const file = join(mkdtempSync(join(tmpdir(), 'backup-')), 'vitrine.dump');
    const dump = ['--format=custom', '--no-owner', '--no-privileges', `--file=${file}`, service.databaseUrl];
    execFileSync(join(tools, 'pg_dump'), dump);
    const restore = ['--exit-on-error', '--no-owner', '--no-privileges', `--dbname=${restored.url}`, file];
    execFileSync(join(tools, 'pg_restore'), restore);
    const [before, after] = [await hashesOf(service.databaseUrl), await hashesOf(restored.url)];
    expect(Object.keys(after)).toEqual(Object.keys(before));
    // The queue goes on with its upkeep while this looks.
    const ours = (hashes: Record<string, string>) =>
      Object.entries(hashes).filter(
        ([name]) => !/^(pgboss\.|power_bi_|rate_limits|change_epochs)/.test(name),
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
  }, 90_000);
});
