import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { type Account, serverAccount } from '../../local/account.js';
import { freePort } from '../../local/free-port.js';
import { type Postgres, startPostgres } from '../../local/postgres.js';
import type { Client } from '../support/client.js';
import { type Service, startService } from '../support/service.js';
import { until } from '../support/until.js';

interface Pooler {
  url: string;
  stop: () => Promise<void>;
}

interface PgBouncer {
  shippedConfiguration: (databases: string[], settings: Record<string, unknown>) => string;
  startPgBouncer: (options: {
    serverUrl: string;
    port: number;
    folder: string;
    account: Account;
    files: Record<string, string>;
  }) => Promise<Pooler>;
}

const OUTAGE_MS = 4000;
const folder = mkdtempSync(join(tmpdir(), 'vitrine-pooler-'));
chmodSync(folder, 0o711);
const startServer = (): Promise<Postgres> =>
  startPostgres({ dataDir: join(folder, 'data'), log: () => undefined, settings: { fsync: 'off' } });

/** The shipped file: only addresses, and who may sign in, are this test's. */
async function startPooler(serverUrl: string): Promise<Pooler> {
  const { shippedConfiguration, startPgBouncer } = (await import(
    join(import.meta.dirname, '../pgbouncer.js')
  )) as PgBouncer;
  const { port: serverPort, username, password } = new URL(serverUrl);
  const port = await freePort();
  const place = join(folder, 'pgbouncer');
  const settings = { listen_port: port, auth_file: join(place, 'userlist.txt') };
  const files = {
    'pgbouncer.ini': shippedConfiguration([`* = host=127.0.0.1 port=${serverPort}`], settings),
    'userlist.txt': `"${username}" "${password}"\n`,
  };
  return startPgBouncer({ serverUrl, port, folder: place, account: serverAccount(place), files });
}

describe('PgBouncer with the shipped settings', () => {
  let postgres: Postgres;
  let pooler: Pooler;
  let service: Service;
  let admin: Client;

  beforeAll(async () => {
    postgres = await startServer();
    pooler = await startPooler(postgres.url);
    const variables = { TEST_DATABASE_URL: postgres.url, TEST_POOLER_URL: pooler.url };
    jest.replaceProperty(process, 'env', { ...process.env, ...variables });
    service = await startService();
    admin = await service.asAdmin();
  }, 120_000);
  afterAll(async () => {
    await service?.close();
    jest.restoreAllMocks();
    await pooler?.stop();
    await postgres?.stop();
    rmSync(folder, { recursive: true });
  });

  const isWritten = async (): Promise<boolean> => {
    const { status } = await admin.post('/api/service-accounts', { name: `Written ${Date.now()}` });
    return status === 201;
  };

  test('writes resume after a PostgreSQL restart of 4 s (D4)', async () => {
    expect(new URL(service.environment.DATABASE_URL ?? '').host).toBe(new URL(pooler.url).host);
    expect(await isWritten()).toBe(true);
    const stopped = performance.now();
    await postgres.stop();
    // Clients go on writing meanwhile, which is what makes PgBouncer notice.
    await until(async () => !(await isWritten()) && performance.now() - stopped > OUTAGE_MS);
    postgres = await startServer();
    await until(isWritten);
  }, 120_000);
});
