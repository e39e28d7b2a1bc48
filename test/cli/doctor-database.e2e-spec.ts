import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Client } from 'pg';
import { type RunningEmulator, startEmulator } from '@vitrine/power-bi-emulator';
import { freePort } from '../../local/free-port.js';
import { vitrineJson } from '../support/cli.js';
import { createEmptyDatabase, type TestDatabase } from '../support/database.js';
import { environmentFor } from '../support/environment.js';
import { type Mailbox, startMailbox } from '../support/mailbox.js';
import { built } from '../support/program.js';
import { until } from '../support/until.js';

const role = `vitrine_app_${randomUUID().slice(0, 8)}`;

let database: TestDatabase;
let emulator: RunningEmulator;
let mailbox: Mailbox;
let owner: Client;
/** The service as the limited role, on a database without a schema. */
let limited: Record<string, string>;

beforeAll(async () => {
  [database, emulator, mailbox] = await Promise.all([createEmptyDatabase(), startEmulator(), startMailbox()]);
  owner = new Client({ connectionString: database.url });
  await owner.connect();
  // The lines with a backslash are commands of psql.
  const roles = readFileSync('deploy/sql/roles.sql', 'utf8').replaceAll(/^\\.*$/gm, '');
  await owner.query(roles.replaceAll('vitrine_app', role));
  await owner.query(`ALTER ROLE ${role} PASSWORD 'app'`);
  const url = Object.assign(new URL(database.url), { username: role, password: 'app' }).href;
  const parts = { databaseUrl: database.url, emulatorUrl: emulator.url, smtpUrl: mailbox.url };
  limited = { ...environmentFor(parts), DATABASE_URL: url, DATABASE_DIRECT_URL: url };
});
afterAll(async () => {
  await owner.end();
  await Promise.all([emulator.close(), mailbox.close(), database.drop()]);
  const server = new Client({ connectionString: process.env.TEST_DATABASE_URL });
  await server.connect();
  await server.query(`DROP ROLE ${role}`);
  await server.end();
});

interface Report {
  findings: { check: string; status: string; detail: string }[];
}
const examine = async (variables: Record<string, string>) => {
  const { code, body } = await vitrineJson<Report>(variables, 'doctor');
  return { code, statuses: Object.fromEntries(body.findings.map(({ check, status }) => [check, status])) };
};
const elsewhere = { keys: 'ok', smtp: 'ok', credential: 'ok', entra: 'ok', power_bi: 'ok' };
const relations = async (): Promise<unknown[]> =>
  (await owner.query(`SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace`)).rows;

describe('doctor without a migrated database (D3)', () => {
  test('with the limited role it reports what is missing, and checks everything else', async () => {
    expect(await examine(limited)).toEqual({
      code: 1,
      statuses: { ...elsewhere, database: 'ok', migrations: 'failed' },
    });
  });

  test('with the owner role it reports the same, and creates nothing', async () => {
    const { statuses } = await examine({ ...limited, DATABASE_URL: database.url });
    expect(statuses).toEqual({ ...elsewhere, database: 'ok', migrations: 'failed' });
    expect(await relations()).toEqual([]);
  });

  test.each([
    'postgresql://x@127.0.0.1:9/x',
    'postgresql://x@127.0.0.1:9/x?sslmode=verify-full&sslrootcert=/missing',
  ])('with a direct address that does not work it warns: %s', async (address) => {
    const { statuses } = await examine({ ...limited, DATABASE_DIRECT_URL: address });
    expect(statuses).toMatchObject({ database: 'ok', database_direct: 'warning', migrations: 'failed' });
  });

  test('with a read-only database, such as a standby, it fails', async () => {
    const setting = `ALTER DATABASE ${owner.escapeIdentifier(owner.database ?? '')} SET default_transaction_read_only`;
    await owner.query(`${setting} = on`);
    try {
      expect(await examine(limited)).toEqual({ code: 1, statuses: { ...elsewhere, database: 'failed' } });
    } finally {
      await owner.query(`${setting} TO DEFAULT`);
    }
  });

  test('without a database it checks Entra, Power BI and SMTP', async () => {
    expect(await examine({ ...limited, DATABASE_URL: 'postgresql://x@127.0.0.1:9/x' })).toEqual({
      code: 1,
      statuses: { ...elsewhere, database: 'failed' },
    });
  });
});

describe('a replica that starts before the migration job (D3)', () => {
  test('holds no connections while it waits, and is ready after the migration', async () => {
    const port = String(await freePort());
    const child = spawn(process.execPath, [built('src/main.js')], { env: { ...limited, PORT: port } });
    const exited = once(child, 'exit');
    const sessions = async (): Promise<number> => {
      const sql = 'SELECT sessions::int FROM pg_stat_database WHERE datname = current_database()';
      return (await owner.query<{ sessions: number }>(sql)).rows[0]?.sessions ?? 0;
    };
    const before = await sessions();
    try {
      // Each attempt opens a session: six of them are enough to see one that is kept.
      await until(async () => (await sessions()) >= before + 6);
      const open = () => owner.query('SELECT FROM pg_stat_activity WHERE usename = $1', [role]);
      // The server may still be ending the session of the last attempt.
      await until(async () => ((await open()).rowCount ?? 0) <= 1);
      expect(await relations()).toEqual([]);
      const migration = { DATABASE_MIGRATION_URL: database.url, DATABASE_URL: limited.DATABASE_URL ?? '' };
      expect((await vitrineJson(migration, 'migrate')).code).toBe(0);
      const ready = async () => (await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => null))?.ok;
      await until(ready);
    } finally {
      child.kill();
      await exited;
    }
    expect(child.exitCode).toBe(0);
  });
});
