import { readFileSync } from 'node:fs';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Client } from 'pg';
import { vitrine, vitrineJson, vitrineProcess } from './support/cli.js';
import { Client as Api } from './support/client.js';
import { createEmptyDatabase, type TestDatabase } from './support/database.js';
import { environmentFor } from './support/environment.js';
import { password } from './support/factory.js';
import { startProgramOn, type Program } from './support/program.js';
import { type RunningEmulator, startEmulator } from '@vitrine/power-bi-emulator';
import { type Mailbox, startMailbox } from './support/mailbox.js';
import { until } from './support/until.js';

const role = `vitrine_app_${randomUUID().slice(0, 8)}`;
/** The file that an operator runs with psql, for a role of this test alone. */
const roles = readFileSync('deploy/sql/roles.sql', 'utf8')
  .replaceAll('vitrine_app', role)
  .replaceAll(/^\\.*$/gm, '');

let database: TestDatabase;
let emulator: RunningEmulator;
let mailbox: Mailbox;
let owner: Client;
let app: Client;
let environment: Record<string, string>;
let service: Program;
let admin: Api;

beforeAll(async () => {
  [database, emulator, mailbox] = await Promise.all([createEmptyDatabase(), startEmulator(), startMailbox()]);
  owner = new Client({ connectionString: database.url });
  await owner.connect();
  await owner.query(roles);
  await owner.query(`ALTER ROLE ${role} PASSWORD 'app'`);
  const url = new URL(database.url);
  Object.assign(url, { username: role, password: 'app' });
  const migration = { DATABASE_MIGRATION_URL: database.url, DATABASE_URL: url.href };
  const { code, stderr } = await vitrineProcess(migration, ['migrate']);
  expect([code, stderr]).toEqual([0, '']);
  app = new Client({ connectionString: url.href });
  await app.connect();
  environment = {
    ...environmentFor({ databaseUrl: database.url, emulatorUrl: emulator.url, smtpUrl: mailbox.url }),
    // Past any pooler of the tests, which makes everybody the owner.
    DATABASE_URL: url.href,
    DATABASE_DIRECT_URL: url.href,
    ADMIN_EMAIL: 'admin@example.com',
    ADMIN_PASSWORD: password,
    NODE_ENV: 'production',
  };
  service = await startProgramOn(environment);
  const { body } = await new Api(service.url).post<{ access_token: string }>('/api/auth/token', {
    email: 'admin@example.com',
    password,
  });
  admin = new Api(service.url, body.access_token);
});
afterAll(async () => {
  await service?.close();
  await app?.end();
  await owner.end();
  await Promise.all([emulator.close(), mailbox.close(), database.drop()]);
  const server = new Client({ connectionString: process.env.TEST_DATABASE_URL });
  await server.connect();
  await server.query(`DROP ROLE ${role}`);
  await server.end();
});

describe('CFG-06: the role of the service', () => {
  test('is sufficient for sync, grants, invitations by email, embed tokens and the audit trail', async () => {
    const { body: run } = await admin.post<{ id: string }>('/api/syncs');
    await until(
      async () => (await admin.get<{ status: string }>(`/api/syncs/${run.id}`)).body.status === 'succeeded',
    );
    const {
      body: { reports },
    } = await admin.get<{ reports: { id: string; workspace_id: string }[] }>('/api/reports');
    const [workspace_id] = reports.map((report) => report.workspace_id);
    const invited = { email: 'ada@example.com', workspaces: [{ workspace_id, role: 'viewer' }] };
    expect((await admin.post('/api/users/invite', invited)).status).toBe(201);
    const invitation_token = await mailbox.secretFor('ada@example.com');
    // Whose job is not deleted with the person.
    expect((await admin.post('/api/users/invite', { email: 'ben@example.com' })).status).toBe(201);
    const nobody = new Api(service.url);
    const accepted = { grant_type: 'invitation', invitation_token, password };
    expect((await nobody.post('/api/auth/token', accepted)).status).toBe(200);
    const tokens = await Promise.all(reports.map(({ id }) => admin.post(`/api/reports/${id}/embed-token`)));
    expect(tokens.map(({ status }) => status)).toContain(200);
    for (const path of [
      'users',
      'workspaces',
      'datasets',
      'audit-events',
      'embed-grants',
      'syncs',
      'health',
    ]) {
      expect([path, (await admin.get(`/api/${path}`)).status]).toEqual([path, 200]);
    }
    const { body: people } = await admin.get<{ users: { id: string; email: string }[] }>('/api/users');
    const ada = people.users.find(({ email }) => email === 'ada@example.com')?.id;
    expect((await admin.get(`/api/users/${ada}/export`)).status).toBe(200);
    expect((await admin.patch(`/api/users/${ada}`, { status: 'disabled' })).status).toBe(200);
    expect((await admin.post(`/api/users/${ada}/erase`)).status).toBe(204);
    expect((await admin.post('/api/auth/logout')).status).toBe(204);
  });

  test('is sufficient for every job, including cleanup', async () => {
    const cleanup = ['audit_cleanup', 'session_cleanup', 'idempotency_cleanup', 'issued_token_cleanup'];
    await app.query(
      `INSERT INTO pgboss.job (name, data, policy) SELECT name, '{}', policy FROM pgboss.queue WHERE name = ANY ($1)`,
      [cleanup],
    );
    const unfinished = `SELECT name, output FROM pgboss.job WHERE state NOT IN ('completed', 'created') AND name NOT LIKE '\\_\\_%'`;
    await until(async () => {
      const done = `SELECT DISTINCT name FROM pgboss.job WHERE state = 'completed'`;
      const names = (await owner.query<{ name: string }>(done)).rows.map(({ name }) => name);
      const atWork = await owner.query(`SELECT FROM pgboss.job WHERE state = 'active'`);
      const wanted = [...cleanup, 'catalogue_sync', 'invitation_mail'];
      return atWork.rowCount === 0 && wanted.every((name) => names.includes(name));
    });
    expect((await owner.query(unfinished)).rows).toEqual([]);
    await app.query('SELECT audit_prepare_partitions(6)');
  });

  test.each([
    'CREATE TABLE mine (id int)',
    'CREATE TEMPORARY TABLE mine (id int)',
    'CREATE SCHEMA mine',
    'CREATE TABLE pgboss.mine (id int)',
    'ALTER TABLE users ADD COLUMN mine int',
    'DROP TABLE users',
    'TRUNCATE users',
    'DROP TABLE pgboss.job',
    'CREATE INDEX ON users (name)',
    'UPDATE audit_events SET ip = NULL',
    'DELETE FROM audit_events',
    'DELETE FROM audit_events_default',
    "INSERT INTO migrations (timestamp, name) VALUES (1, 'mine')",
    "CREATE FUNCTION mine() RETURNS int LANGUAGE sql AS 'SELECT 1'",
  ])('may not: %s', async (sql) => {
    await expect(app.query(sql)).rejects.toMatchObject({ code: '42501' });
  });

  test('has session limits', async () => {
    const names = [
      'statement_timeout',
      'lock_timeout',
      'idle_in_transaction_session_timeout',
      'client_connection_check_interval',
    ];
    const { rows } = await app.query(
      'SELECT name, setting, source FROM pg_settings WHERE name = ANY($1) ORDER BY name',
      [names],
    );
    expect(rows).toEqual([
      { name: 'client_connection_check_interval', setting: '100', source: 'database user' },
      { name: 'idle_in_transaction_session_timeout', setting: '10000', source: 'database user' },
      { name: 'lock_timeout', setting: '2000', source: 'database user' },
      { name: 'statement_timeout', setting: '5000', source: 'database user' },
    ]);
  });

  test('may use a table of a later migration after the migration job, which keeps manual settings', async () => {
    await owner.query('CREATE TABLE later (id int)');
    await owner.query(
      `ALTER ROLE ${role} IN DATABASE ${new URL(database.url).pathname.slice(1)} SET lock_timeout = '1s'`,
    );
    await expect(app.query('SELECT FROM later')).rejects.toMatchObject({ code: '42501' });
    const migration = { DATABASE_MIGRATION_URL: database.url };
    const { code, body } = await vitrineJson(migration, 'migrate', '--role', role);
    expect([code, body]).toEqual([0, { migrated: true, role }]);
    await app.query('INSERT INTO later VALUES (1)');
    const set = `SELECT FROM pg_db_role_setting WHERE setrole = $1::regrole AND 'lock_timeout=1s' = ANY (setconfig)`;
    expect((await owner.query(set, [role])).rowCount).toBe(1);
    await owner.query('DROP TABLE later');
  });

  test('an unknown role is named', async () => {
    const { code, stderr } = await vitrine({ DATABASE_MIGRATION_URL: database.url }, [
      'migrate',
      '--role',
      'nobody_here',
    ]);
    expect([code, stderr]).toEqual([1, expect.stringContaining('The role "nobody_here" does not exist')]);
  });
});

describe('DUR-03: database settings', () => {
  interface Report {
    findings: { check: string; status: string; detail: string }[];
  }
  const settingsOf = async (variables: Record<string, string>): Promise<string> => {
    const { body } = await vitrineJson<Report>({ ...environment, ...variables }, 'doctor');
    return JSON.stringify(body.findings.filter(({ check }) => check === 'database_settings'));
  };
  const alter = (sql: string): Promise<unknown> =>
    owner.query(`ALTER ROLE ${role} IN DATABASE ${new URL(database.url).pathname.slice(1)} ${sql}`);

  test('sessions without limits and asynchronous commits are reported by doctor and at startup', async () => {
    await alter('RESET ALL');
    await alter('SET synchronous_commit = off');
    const report = await settingsOf({});
    expect(report).toContain('statement_timeout');
    expect(report).toMatch(/may lose committed transactions: [^"]*synchronous_commit/);
    const warned = await startProgramOn({ ...environment, LOG_LEVEL: 'warn' }, 'pipe');
    await warned.close();
    expect(warned.output()).toContain("The service's sessions have no timeout");
    expect(warned.output()).toContain('synchronous_commit');
  });

  test('a service that uses the owner role is reported', async () => {
    expect(await settingsOf({})).not.toContain('as the owner');
    expect(await settingsOf({ DATABASE_URL: database.url })).toContain('as the owner');
  });
});
