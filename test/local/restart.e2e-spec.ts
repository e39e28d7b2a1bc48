import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { existsSync, readFileSync } from 'node:fs';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { freePort } from '../../local/free-port.js';
import { startOf } from '../../local/process-identity.js';
import { databasePid, Started, temporaryDataDir } from './started.js';

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

describe('a local start', () => {
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
    expect(refused.output).toContain('deploy/vitrine.env.example');
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

  test('gets its demo data at the next start, if it was the first one of the folder', async () => {
    const first = temporaryDataDir();
    const early = new Started(first.dataDir);
    await databasePid(first.dataDir);
    await early.signal('SIGINT');
    const next = await new Started(first.dataDir).ready();
    try {
      await next.hasDemoData();
    } finally {
      await next.signal('SIGTERM');
      await first.remove();
    }
  });
});
