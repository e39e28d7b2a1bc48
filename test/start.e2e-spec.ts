import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer, connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { freePort } from '../local/free-port.js';
import { createEmptyDatabase, type TestDatabase } from './support/database.js';
import { environmentFor } from './support/environment.js';
import { built } from './support/program.js';
import { processesOfTest } from './support/processes-of-test.js';
import { until } from './support/until.js';

const endsWithTest = processesOfTest();

const program = built('src/main.js');
const statusOf = (url: string) =>
  fetch(url).then(
    ({ status }) => status,
    () => 0,
  );

let database: TestDatabase;

beforeAll(async () => {
  database = await createEmptyDatabase();
});
afterAll(() => database.drop());

const environment = (databaseUrl: string, port: number) => ({
  ...environmentFor({ databaseUrl, emulatorUrl: 'http://127.0.0.1:9' }),
  DATABASE_MIGRATION_URL: database.url,
  PORT: String(port),
});

/** Ends of itself: its exit code and everything that it wrote. */
async function ended(variables: Record<string, string>) {
  const child = endsWithTest(
    spawn(process.execPath, [program], { env: variables, stdio: ['ignore', 'pipe', 'pipe'] }),
  );
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += String(text)));
  const [code] = (await once(child, 'close')) as [number];
  return { code, output };
}

describe('the service process', () => {
  test('DUR-06: in production without settings it names every missing variable and exits', () => {
    const { status, stderr } = spawnSync(process.execPath, [program], {
      env: { NODE_ENV: 'production' },
      encoding: 'utf8',
    });
    expect(status).toBe(1);
    for (const name of [
      'DATABASE_URL',
      'JWT_KEYS_FILE',
      'SECRET_KEY',
      'POWERBI_TENANT_ID',
      'POWERBI_CLIENT_ID',
    ]) {
      expect(stderr).toContain(`${name} is missing`);
    }
    expect(stderr).not.toContain('    at ');
  });

  test.each(['PORT', 'METRICS_PORT'])('%s in use is named, with advice (D10)', async (name) => {
    const squatter = createServer().listen(0, '127.0.0.1');
    await once(squatter, 'listening');
    const { port } = squatter.address() as AddressInfo;
    const variables = environment(database.url, await freePort());
    const { code, output } = await ended({ ...variables, [name]: String(port) });
    squatter.close();
    expect(code).toBe(1);
    expect(output).toContain(`Port ${port} is already in use on 127.0.0.1. Set ${name} to another port`);
    expect(output).not.toMatch(/EADDRINUSE|^ {4}at /m);
  });

  test('TRUST_PROXY=true and other weak settings are named without a stack trace; NODE_ENV defaults to production (L2)', async () => {
    const weak = { TRUST_PROXY: 'true', CORS_ORIGINS: '*', NODE_TLS_REJECT_UNAUTHORIZED: '0' };
    const { code, output } = await ended({ ...environment(database.url, 0), ...weak });
    expect(code).toBe(1);
    for (const name of Object.keys(weak)) expect(output).toMatch(new RegExp(`^  - ${name}\\b`, 'm'));
    expect(output).not.toContain('    at ');
  });

  test('the log at info has the start and each step of the shutdown, but nothing of the framework (D10)', async () => {
    const port = await freePort();
    const service = endsWithTest(
      spawn(process.execPath, [program], {
        env: { ...environment(database.url, port), LOG_LEVEL: 'info' },
        stdio: ['ignore', 'pipe', 'inherit'],
      }),
    );
    let output = '';
    service.stdout.on('data', (text) => (output += String(text)));
    await until(async () => (await statusOf(`http://127.0.0.1:${port}/readyz`)) === 200);
    const closed = once(service, 'close');
    service.kill('SIGTERM');
    await closed;
    const lines = output
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { msg: string; context?: string; signal?: string; level: number });
    const steps = lines.filter(({ msg }) => ['listening', 'stopping', 'draining', 'stopped'].includes(msg));
    expect(steps.map(({ msg, level }) => `${level} ${msg}`)).toEqual([
      '30 listening',
      '30 stopping',
      '30 draining',
      '30 stopped',
    ]);
    expect(steps.filter(({ signal }) => signal === 'SIGTERM')).toHaveLength(2);
    expect(lines.filter(({ context = '' }) => /^(InstanceLoader|Nest|Router|Routes)/.test(context))).toEqual(
      [],
    );
    expect(lines.length).toBeLessThan(30);
  });

  test('LIFE-06 LIFE-08: without database and Power BI it is alive, and becomes ready with the database', async () => {
    const [port, databasePort] = [await freePort(), await freePort()];
    const later = new URL(database.url);
    const upstream = { host: later.hostname, port: Number(later.port) };
    later.host = `127.0.0.1:${databasePort}`;
    const service = endsWithTest(
      spawn(process.execPath, [program], { env: environment(later.href, port), stdio: 'ignore' }),
    );
    const url = `http://127.0.0.1:${port}`;
    await until(async () => (await statusOf(`${url}/livez`)) === 200);
    expect(await statusOf(`${url}/readyz`)).toBe(503);
    expect(await statusOf(`${url}/api/workspaces`)).toBe(503);
    const proxy = createServer((socket) => {
      const onward = connect(upstream);
      socket.pipe(onward).pipe(socket);
      socket.on('error', () => onward.destroy());
      onward.on('error', () => socket.destroy());
    }).listen(databasePort, '127.0.0.1');
    await until(async () => (await statusOf(`${url}/readyz`)) === 200);
    const exited = once(service, 'exit');
    service.kill('SIGTERM');
    expect((await exited)[0]).toBe(0);
    proxy.close();
  });
});
