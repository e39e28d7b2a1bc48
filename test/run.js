// Plain JavaScript: it runs before anything is built, and must answer on an old Node too.
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { ensureBuilt, requireNode24 } from '../local/build.js';

const root = fileURLToPath(new URL('..', import.meta.url));
/** In the name of every database of this run. */
const run = randomBytes(6).toString('hex');
const args = process.argv.slice(2).filter((arg) => arg !== '--browser');
const suite = process.argv.includes('--browser') ? { VITRINE_SUITE: 'browser' } : {};

// Away from a terminal the tests have a process group of their own, so that what they started ends with them.
const ownGroup = !process.stdin.isTTY;
let jest;
let interrupted;

function signalTests(signal) {
  try {
    process.kill(ownGroup ? -jest.pid : jest.pid, signal);
    return true;
  } catch {
    return false;
  }
}

function interrupt(signal) {
  interrupted = signal;
  if (jest) signalTests(signal);
}

/** Whatever the tests left running, waited for with a bound. */
async function endLeftovers() {
  if (!ownGroup || !jest || !signalTests('SIGTERM')) return;
  for (let look = 0; look < 200 && signalTests(0); look += 1) await sleep(50);
}

/** A server that others use keeps nothing of this run, however its tests ended. */
async function dropDatabases(url) {
  const { default: pg } = await import('pg');
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const ours = [`vitrine\\_%\\_${run}%`];
    const { rows } = await client.query('SELECT datname FROM pg_database WHERE datname LIKE $1', ours);
    for (const { datname } of rows) await client.query(`DROP DATABASE ${datname} WITH (FORCE)`);
  } finally {
    await client.end();
  }
}

/** A server of this run's own, unless the environment names one: any PostgreSQL from 15 on. */
async function database(folder) {
  const given = process.env.DATABASE_URL;
  if (given) return { url: given, stop: () => dropDatabases(given) };
  const { startPostgres } = await import('../dist/local/postgres.js');
  const settings = {
    fsync: 'off',
    synchronous_commit: 'off',
    full_page_writes: 'off',
    max_connections: '300',
  };
  const server = await startPostgres({ dataDir: join(folder, 'data'), settings });
  const stop = async () => {
    await server.stop();
    rmSync(server.folder, { recursive: true, force: true });
  };
  return { url: server.url, stop };
}

/** With TEST_PGBOUNCER the service reaches the database through one; what the tests do themselves goes past it. */
async function pooler(serverUrl, folder) {
  if (!process.env.TEST_PGBOUNCER) return { variables: {}, stop: async () => undefined };
  const { startPgBouncer } = await import('./pgbouncer.js');
  const { serverAccount } = await import('../dist/local/account.js');
  const { freePort } = await import('../dist/local/free-port.js');
  const place = join(folder, 'pgbouncer');
  const account = serverAccount(place);
  const { url, stop } = await startPgBouncer({ serverUrl, port: await freePort(), folder: place, account });
  return { variables: { TEST_POOLER_URL: url }, stop };
}

function runJest(url, TMPDIR, variables) {
  const node = ['--experimental-vm-modules', '--no-warnings', join(root, 'node_modules/jest/bin/jest.js')];
  jest = spawn(process.execPath, [...node, ...args], {
    cwd: root,
    env: { ...process.env, ...suite, TEST_DATABASE_URL: url, TEST_RUN_ID: run, TMPDIR, ...variables },
    stdio: 'inherit',
    detached: ownGroup,
  });
  return new Promise((resolve) => {
    jest.once('exit', (code, signal) => resolve(code ?? 128 + constants.signals[signal]));
  });
}

requireNode24();
await ensureBuilt();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, interrupt);
// Everything temporary goes below one folder, which goes in the end, however the tests went.
const folder = mkdtempSync(join(tmpdir(), 'vitrine-test-'));
// As root the server runs as somebody else, who must be able to pass.
chmodSync(folder, 0o711);
const { url, stop } = await database(folder);
let between;
try {
  between = await pooler(url, folder);
  process.exitCode = interrupted
    ? 128 + constants.signals[interrupted]
    : await runJest(url, folder, between.variables);
} finally {
  await endLeftovers();
  await between?.stop();
  await stop().finally(() => rmSync(folder, { recursive: true, force: true }));
}
