// Plain JavaScript: it runs before anything is built, and must answer on an old Node too.
import { spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureBuilt, requireNode24 } from '../local/build.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const args = process.argv.slice(2).filter((arg) => arg !== '--browser');
const suite = process.argv.includes('--browser') ? { VITRINE_SUITE: 'browser' } : {};

let jest;
let interrupted;

function interrupt(signal) {
  interrupted = signal;
  // Away from a terminal the tests have a process group of their own, so that what they started ends with them.
  if (jest) process.kill(jest.pid * (process.stdin.isTTY ? 1 : -1), signal);
}

/** A server of this run's own, unless the environment names one: any PostgreSQL from 15 on. */
async function database() {
  if (process.env.DATABASE_URL) return { url: process.env.DATABASE_URL, stop: async () => {} };
  const { startPostgres } = await import('../dist/local/postgres.js');
  const dataDir = mkdtempSync(join(tmpdir(), 'vitrine-test-'));
  // As root the server runs as somebody else, who must be able to pass.
  chmodSync(dataDir, 0o711);
  const settings = {
    fsync: 'off',
    synchronous_commit: 'off',
    full_page_writes: 'off',
    max_connections: '300',
  };
  const server = await startPostgres({ dataDir, settings });
  const stop = async () => {
    await server.stop();
    for (const folder of [server.folder, dataDir]) rmSync(folder, { recursive: true, force: true });
  };
  return { url: server.url, stop };
}

function runJest(url) {
  const node = ['--experimental-vm-modules', '--no-warnings', join(root, 'node_modules/jest/bin/jest.js')];
  jest = spawn(process.execPath, [...node, ...args], {
    cwd: root,
    env: { ...process.env, ...suite, TEST_DATABASE_URL: url },
    stdio: 'inherit',
    detached: !process.stdin.isTTY,
  });
  return new Promise((resolve) => {
    jest.once('exit', (code, signal) => resolve(code ?? 128 + constants.signals[signal]));
  });
}

requireNode24();
ensureBuilt();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, interrupt);
const { url, stop } = await database();
try {
  process.exitCode = interrupted ? 128 + constants.signals[interrupted] : await runJest(url);
} finally {
  await stop();
}
