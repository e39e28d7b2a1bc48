import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { type Postgres, startPostgres } from '../../local/postgres.js';
import { clearLeftover } from '../../local/postgres-leftover.js';
import { startOf } from '../../local/process-identity.js';
import { processesOfTest } from '../support/processes-of-test.js';
import { until } from '../support/until.js';

const endsWithTest = processesOfTest();

const parent = mkdtempSync(join(tmpdir(), 'vitrine-postgres-'));
chmodSync(parent, 0o711);
const dataDir = join(parent, 'data');
const said: string[] = [];
let server: Postgres;

async function query(sql: string) {
  const client = new Client({ connectionString: server.url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

async function start() {
  said.length = 0;
  server = await startPostgres({ dataDir, log: (line) => said.push(line) });
}

const lockFile = () => join(server.folder, 'data/postmaster.pid');

beforeAll(start);

afterAll(async () => {
  await server.stop();
  rmSync(server.folder, { recursive: true, force: true });
  rmSync(parent, { recursive: true, force: true });
});

describe('the embedded database', () => {
  test('is PostgreSQL 18 with fsync and UTF-8', async () => {
    const [row] = await query(
      `select current_setting('server_version') as version, current_setting('fsync') as fsync,
              current_setting('server_encoding') as encoding, current_setting('listen_addresses') as at`,
    );
    expect(row).toMatchObject({ fsync: 'on', encoding: 'UTF8', at: '127.0.0.1' });
    expect(row?.version).toMatch(/^18\./);
  });

  test('requires the password, which only the owner can read', async () => {
    const stranger = new Client({ connectionString: server.url.replace(/:[^:@]+@/, ':wrong@') });
    await expect(stranger.connect()).rejects.toThrow(/password authentication failed/);
    expect(statSync(join(dataDir, 'postgres.json')).mode & 0o777).toBe(0o600);
  });

  test('keeps its data and address across a restart', async () => {
    const { url } = server;
    await query('create table kept as select 42 as answer');
    await server.stop();
    await start();
    expect(server.url).toBe(url);
    expect(await query('select answer from kept')).toEqual([{ answer: 42 }]);
  });

  test('uses another port when its own is in use', async () => {
    const { url } = server;
    await server.stop();
    const squatter = createServer().listen(Number(new URL(url).port), '127.0.0.1');
    await start();
    squatter.close();
    expect(server.url).not.toBe(url);
    expect(await query('select 1 as one')).toEqual([{ one: 1 }]);
  });

  test('DUR-02 DUR-04: has every acknowledged row after each kill -9', async () => {
    await query('create table survivors (n int)');
    for (let n = 1; n <= 5; n += 1) {
      await query(`insert into survivors values (${n})`);
      const killed = server.pid;
      process.kill(killed, 'SIGKILL');
      await until(async () => server.pid !== killed && query('select 1').catch(() => null));
    }
    expect(await query('select count(*)::int as rows from survivors')).toEqual([{ rows: 5 }]);
  });

  /** The PID of a server whose start was killed. */
  const leaveServer = (): number => {
    const program = `import { startPostgres } from './dist/local/postgres.js';
      const { pid } = await startPostgres(${JSON.stringify({ dataDir })});
      console.log(pid);
      process.kill(process.pid, 'SIGKILL');`;
    const killed = spawnSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' });
    return Number(killed.stdout);
  };

  test.each(['running', 'paused'])(
    'DUR-05: stops the %s server that a killed start left behind, instead of starting a second one',
    async (state) => {
      await server.stop();
      const left = leaveServer();
      expect(startOf(left)).not.toBeNull();
      if (state === 'paused') process.kill(left, 'SIGSTOP');
      await start();
      expect(said.join()).toContain(`PID ${left}`);
      expect(startOf(left)).toBeNull();
      expect(await query('select count(*)::int as rows from survivors')).toEqual([{ rows: 5 }]);
    },
  );

  test('kills a server that a killed start left behind and that ignores every other signal', async () => {
    const folder = mkdtempSync(join(parent, 'ignoring-'));
    const ignoring = 'trap "" INT QUIT; echo ready; while :; do sleep 1; done';
    const args = ['-c', ignoring, 'postgres', '-D', folder, '-c', 'x'];
    const left = endsWithTest(spawn('sh', args, { stdio: ['ignore', 'pipe', 'inherit'] }));
    await once(left.stdout, 'data');
    writeFileSync(join(folder, 'postmaster.pid'), String(left.pid));
    await clearLeftover(folder, () => undefined, 200);
    expect(left.signalCode ?? (await once(left, 'exit'))[1]).toBe('SIGKILL');
    expect(existsSync(join(folder, 'postmaster.pid'))).toBe(false);
  });

  test('stops when it is paused', async () => {
    const { pid } = server;
    process.kill(pid, 'SIGSTOP');
    await server.stop();
    expect(startOf(pid)).toBeNull();
    await start();
  });

  test('ignores the lock of a dead server whose PID now belongs to another process', async () => {
    await server.stop();
    writeFileSync(lockFile(), `${process.pid}\n${join(server.folder, 'data')}\n1\n5432\n\n\n\nready\n`);
    await start();
    expect(readFileSync(lockFile(), 'utf8').split('\n')[0]).toBe(String(server.pid));
  });

  test('uses a folder that its user can access (as root an unprivileged one), reports it, and finds it again', async () => {
    const hidden = join(mkdtempSync(join(parent, 'hidden-')), 'data');
    const lines: string[] = [];
    const options = { dataDir: hidden, log: (line: string) => lines.push(line) };
    const first = await startPostgres(options);
    await first.stop();
    const second = await startPostgres(options);
    await second.stop();
    rmSync(second.folder, { recursive: true });
    expect(second.url).toBe(first.url);
    const isRoot = process.getuid?.() === 0;
    expect(second.folder.startsWith(hidden)).toBe(!isRoot);
    expect(lines.some((line) => line.includes(second.folder))).toBe(isRoot);
  });

  test.each(['027', '077'])('starts in its own data folder under umask %s, also as root', (umask) => {
    const folder = join(parent, `umask-${umask}`, 'data');
    const program = `import { startPostgres } from './dist/local/postgres.js';
      process.umask(0o${umask});
      const server = await startPostgres({ dataDir: ${JSON.stringify(folder)}, log: () => undefined });
      await server.stop();
      console.log(server.folder);`;
    const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
      encoding: 'utf8',
    });
    expect(stdout.trim()).toBe(join(folder, 'postgres'));
  });

  test('leaves no process after it is stopped', async () => {
    const { pid } = server;
    await server.stop();
    expect(startOf(pid)).toBeNull();
    await start();
  });
});
