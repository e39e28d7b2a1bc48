import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { freePort } from '../../local/free-port.js';
import { startOf } from '../../local/process-identity.js';
import { databasePid, Started, temporaryDataDir } from './started.js';
import { until } from '../support/until.js';

const { dataDir, remove } = temporaryDataDir();
let started: Started;
let PORT: string;

const start = (variables: Record<string, string> = {}) =>
  new Started(dataDir, { PORT, ...variables }).ready();

beforeAll(async () => {
  PORT = String(await freePort());
  started = await start();
});

afterAll(async () => {
  await started?.signal('SIGTERM');
  await remove();
});

const lockFile = join(dataDir, 'lock');
const run = (command: string) =>
  JSON.parse(execFileSync('sh', ['-c', command], { encoding: 'utf8' })) as unknown;

describe('a local start', () => {
  test('prints three commands that work unchanged', () => {
    const [workspaces = '', reports = '', embed = '', ...others] = started.commands;
    expect(others).toEqual([]);
    const workspace = { id: expect.any(String), name: 'Sales', report_count: expect.any(Number) };
    expect(run(workspaces)).toMatchObject({
      workspaces: expect.arrayContaining([expect.objectContaining(workspace)]),
    });
    const report = { id: expect.any(String), report_type: 'PowerBIReport' };
    expect(run(reports)).toMatchObject({
      reports: expect.arrayContaining([expect.objectContaining(report)]),
    });
    expect(run(embed)).toMatchObject({
      token: expect.any(String),
      embed_url: expect.stringContaining('http'),
    });
  });

  test('prints the URL of the portal, which responds', async () => {
    const [, portal = ''] = /^ +portal +(\S+)/m.exec(started.output) ?? [];
    const page = await fetch(portal);
    expect([page.status, page.headers.get('content-type')]).toEqual([
      200,
      expect.stringContaining('text/html'),
    ]);
    expect(await page.text()).toContain('id="root"');
  });

  test('CFG-06 runs the service with a role that is not the owner, as in production', () => {
    const source = 'set -a && . "$1" && set +a && exec "$2" dist/src/cli/vitrine.js doctor --json';
    const args = ['-c', source, 'sh', join(dataDir, 'service.env'), process.execPath];
    // It ends with 1: the demo has a workspace that does not embed.
    const { stdout } = spawnSync('sh', args, { env: {}, encoding: 'utf8' });
    const { findings } = JSON.parse(stdout) as { findings: { check: string; status: string }[] };
    expect(findings).toContainEqual(expect.objectContaining({ check: 'database_settings', status: 'ok' }));
    expect(readFileSync(join(dataDir, 'service.env'), 'utf8')).toMatch(
      /^DATABASE_URL='postgres:\/\/vitrine_app:/m,
    );
  });

  test('makes its secret files readable for their owner only', () => {
    for (const name of [
      'admin.json',
      'jwt-keys.json',
      'secret-key',
      'postgres.json',
      'service.env',
      'lock',
    ]) {
      expect([name, statSync(join(dataDir, name)).mode & 0o077]).toEqual([name, 0]);
    }
  });

  test('stores the URL of the emulator', async () => {
    const { url } = JSON.parse(readFileSync(join(dataDir, 'emulator.json'), 'utf8')) as { url: string };
    expect((await fetch(`${url}/__emulator/calls`)).status).toBe(200);
  });

  test('runs an identity provider that keeps its URL across starts', async () => {
    const { issuer } = JSON.parse(readFileSync(join(dataDir, 'identity-provider.json'), 'utf8')) as {
      issuer: string;
    };
    expect(started.output).toContain(new URL(issuer).origin);
    const challenge = 'A'.repeat(43);
    const response = await fetch(`${started.url}/login?code_challenge=${challenge}`, { redirect: 'manual' });
    expect(response.headers.get('location')).toMatch(
      new RegExp(`^${new URL(issuer).origin}/.*client_id=vitrine`),
    );
  });

  test('writes settings that the command line can use', () => {
    const source = 'set -a && . "$1" && set +a && exec "$2" dist/src/cli/vitrine.js users list';
    const args = ['-c', source, 'sh', join(dataDir, 'service.env'), process.execPath];
    const listed = execFileSync('sh', args, { env: {}, encoding: 'utf8' });
    expect(listed).toContain(started.admin.email);
    expect(readFileSync(join(dataDir, 'service.env'), 'utf8')).not.toMatch(/^(PATH|HOME|DATA_DIR)=/m);
  });

  test('gives every dataset that requires an identity a policy', async () => {
    const token = await started.signIn();
    type Dataset = { identity_required: boolean | null; identity_policy: object | null };
    const { datasets } = await started.get<{ datasets: Dataset[] }>('/api/datasets', token);
    const guarded = datasets.filter((each) => each.identity_required);
    expect(guarded.length).toBeGreaterThanOrEqual(2);
    expect(guarded.filter((each) => each.identity_policy === null)).toEqual([]);
  });

  test('delivers e-mail to a folder and prints its link', async () => {
    const email = 'eve@vitrine.example';
    const response = await started.post('/api/users/invite', { email }, await started.signIn());
    expect(response.status).toBe(201);
    const arrived = () => readdirSync(join(dataDir, 'mail')).filter((name) => name.endsWith(`${email}.eml`));
    await until(() => arrived().length > 0);
    expect(readFileSync(join(dataDir, 'mail', arrived()[0] ?? ''), 'utf8')).toMatch(
      /^To: .*eve@vitrine\.example/m,
    );
    await until(() => started.output.includes(`${started.url}/invitation#token=`));
  });

  test('DUR-05: refuses a second start on the same data, with the PID of the first', async () => {
    const second = new Started(dataDir);
    expect(await second.ended()).toBe(1);
    expect(second.output).toContain(`PID ${started.pid}`);
  });

  test('keeps its data, keys and addresses across a restart', async () => {
    const token = await started.signIn();
    const before = await started.get('/api/workspaces', token);
    const { admin } = started;
    const emulator = readFileSync(join(dataDir, 'emulator.json'), 'utf8');
    const provider = readFileSync(join(dataDir, 'identity-provider.json'), 'utf8');
    await started.signal('SIGTERM');
    started = await start();
    expect(started.admin).toEqual(admin);
    expect(await started.get('/api/workspaces', token)).toEqual(before);
    expect(readFileSync(join(dataDir, 'emulator.json'), 'utf8')).toBe(emulator);
    expect(readFileSync(join(dataDir, 'identity-provider.json'), 'utf8')).toBe(provider);
  });

  test('reports are shown from the emulator when its port changes', async () => {
    await started.signal('SIGTERM');
    started = await start({ EMULATOR_PORT: String(await freePort()) });
    const { url } = JSON.parse(readFileSync(join(dataDir, 'emulator.json'), 'utf8')) as { url: string };
    const token = await started.signIn();
    const { reports } = await started.get<{ reports: { id: string }[] }>('/api/reports', token);
    const response = await started.post(`/api/reports/${reports[0]?.id}/embed-token`, {}, token);
    expect(((await response.json()) as { embed_url: string }).embed_url.startsWith(`${url}/`)).toBe(true);
  });

  test.each(['SIGINT', 'SIGTERM'] as const)(
    'DUR-07: leaves no process and no lock after %s',
    async (signal) => {
      const database = await databasePid(dataDir);
      expect(startOf(database)).not.toBeNull();
      expect(await started.signal(signal)).toBe(0);
      expect(startOf(database)).toBeNull();
      expect(existsSync(lockFile)).toBe(false);
      started = await start();
    },
  );
});

describe('a local start that fails', () => {
  const other = temporaryDataDir();
  afterAll(other.remove);

  test('names PORT when the port is in use, and leaves nothing behind', async () => {
    const squatter = createServer().listen(0, '127.0.0.1');
    await once(squatter, 'listening');
    const { port } = squatter.address() as AddressInfo;
    const refused = new Started(other.dataDir, { PORT: String(port) });
    expect(await refused.ended()).toBe(1);
    squatter.close();
    expect(refused.output).toMatch(/Port \d+ is already in use on 127\.0\.0\.1\. Set PORT/);
    expect(existsSync(join(other.dataDir, 'lock'))).toBe(false);
  });

  test('names EMULATOR_PORT when its port is in use, before the database starts (D10)', async () => {
    const squatter = createServer().listen(0, '127.0.0.1');
    await once(squatter, 'listening');
    const { port } = squatter.address() as AddressInfo;
    const refused = new Started(other.dataDir, { EMULATOR_PORT: String(port) });
    expect(await refused.ended()).toBe(1);
    squatter.close();
    expect(refused.output).toMatch(/Port \d+ is already in use on 127\.0\.0\.1\. Set EMULATOR_PORT/);
    expect(existsSync(join(other.dataDir, 'postgres'))).toBe(false);
  });

  test('names DATA_DIR when it is not writable (D10)', async () => {
    const refused = new Started('/sys/vitrine');
    expect(await refused.ended()).toBe(1);
    expect(refused.output).toContain('/sys/vitrine is not writable. Set DATA_DIR');
    expect(refused.output).not.toContain('    at ');
  });

  test('requires DATABASE_URL when the environment is production', async () => {
    const refused = new Started(other.dataDir, { NODE_ENV: 'production' });
    expect(await refused.ended()).toBe(1);
    expect(refused.output).toContain('DATABASE_URL');
  });

  test.each(['SIGINT', 'SIGTERM'] as const)(
    'leaves nothing behind after %s during the start',
    async (signal) => {
      const early = new Started(other.dataDir);
      const database = await databasePid(other.dataDir);
      expect(await early.signal(signal)).toBe(0);
      expect(early.output).not.toContain('ready at');
      expect(startOf(database)).toBeNull();
      expect(existsSync(join(other.dataDir, 'lock'))).toBe(false);
    },
  );
});
