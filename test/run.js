// Plain JavaScript: it runs before the build and must report an unsupported Node version.
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import fs, { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { ensureBuilt, requireNode24 } from '../local/build.js';
import { endAllOf, watch } from './leftovers.js';
import { notRun } from './requirements.js';

const root = fileURLToPath(new URL('..', import.meta.url));
/** Part of the name of every database of this run. */
const run = randomBytes(6).toString('hex');
/** Bytes. A run uses a fraction of it, tests in full size more. */
const MEMORY_FOR_DATABASES = 8 * 1024 ** 3;
const suites = ['--browser', '--clients', '--default-runner'];
const args = process.argv.slice(2).filter((arg) => !suites.includes(arg));
const named = suites.find((each) => process.argv.includes(each));
const suite = named ? { VITRINE_SUITE: named.slice(2) } : {};

// Without a terminal the tests run in their own process group, so that their child processes can be terminated with them.
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

const withValue = ['-t', '--testNamePattern', '-w', '--maxWorkers'];
const isOption = (arg, index) => arg.startsWith('-') || withValue.includes(args[index - 1]);

function refuse(text) {
  console.error(text);
  process.exit(1);
}

/**
 * Command line of Jest; undefined if no selected file can run here. Arguments that are not options are regular expressions over the relative paths
 * of the test files.
 */
function jestArguments() {
  const paths = args.filter((arg, index) => !isOption(arg, index));
  const patterns = paths.map((path) => new RegExp(path.replace(/^\.\//, '')));
  const options = args.filter(isOption);
  const skipped = named ? [] : notRun();
  const isSelected = (file) => patterns.length === 0 || patterns.some((pattern) => pattern.test(file));
  for (const { file, reason } of skipped) if (isSelected(file)) console.log(`not run: ${file}: ${reason}`);
  if (patterns.length === 0) return options;
  const files = fs.globSync('{src,local,packages,test}/**/*.{spec,e2e-spec,browser-spec,client-spec}.ts', {
    cwd: root,
    exclude: (name) => name === 'node_modules' || name === 'dist',
  });
  const selected = files.filter(isSelected);
  if (selected.length === 0) refuse(`No test file matches ${paths.join(', ')}`);
  const runnable = selected.filter((name) => !skipped.some(({ file }) => file === name));
  return runnable.length === 0 ? undefined : [...options, '--runTestsByPath', ...runnable];
}

/** Terminates processes that the tests left running; after 10 s by force, also those that a signal has paused. */
async function endLeftovers() {
  if (!ownGroup || !jest || !signalTests('SIGTERM')) return;
  signalTests('SIGCONT');
  for (let attempt = 0; attempt < 200 && signalTests(0); attempt += 1) await sleep(50);
  signalTests('SIGKILL');
}

/** Removes the databases of this run from a server that is not its own, whatever the result. */
async function dropDatabases(url) {
  const { default: pg } = await import('pg');
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const pattern = [`vitrine\\_%\\_${run}%`];
    const { rows } = await client.query('SELECT datname FROM pg_database WHERE datname LIKE $1', pattern);
    for (const { datname } of rows) await client.query(`DROP DATABASE ${datname} WITH (FORCE)`);
  } finally {
    await client.end();
  }
}

/**
 * A folder in memory for the databases of this run, or undefined where there is not much memory. The tests create hundreds of databases of
 * 900 files each, which takes ten times as long on a disk.
 */
function folderInMemory() {
  const parent = '/dev/shm';
  if (process.env.DATABASE_URL || !existsSync(parent)) return undefined;
  const { bavail, bsize } = fs.statfsSync(parent);
  if (Math.min(bavail * bsize, process.availableMemory()) < MEMORY_FOR_DATABASES) return undefined;
  let path;
  try {
    path = mkdtempSync(join(parent, 'vitrine-test-'));
  } catch {
    // It is read-only here, or another user's.
    return undefined;
  }
  watcher.add(path);
  chmodSync(path, 0o711);
  return path;
}

/** The server of DATABASE_URL (PostgreSQL 15 or newer), or an embedded one that exists for this run only. */
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
  watcher.add(server.folder);
  const stop = async () => {
    await server.stop();
    rmSync(server.folder, { recursive: true, force: true });
  };
  return { url: server.url, stop };
}

/** With TEST_PGBOUNCER the service connects through PgBouncer; the tests' own statements do not. */
async function pooler(serverUrl, folder) {
  if (!process.env.TEST_PGBOUNCER) return { variables: {}, stop: async () => undefined };
  const { startPgBouncer } = await import('./pgbouncer.js');
  const { serverAccount } = await import('../dist/local/account.js');
  const { freePort } = await import('../dist/local/free-port.js');
  const directory = join(folder, 'pgbouncer');
  const account = serverAccount(directory);
  const { url, stop } = await startPgBouncer({
    serverUrl,
    port: await freePort(),
    folder: directory,
    account,
  });
  return { variables: { TEST_POOLER_URL: url }, stop };
}

function runJest(testArguments, variables) {
  // Jest's default runner loads ES modules with this option of Node.
  const flags = named === '--default-runner' ? ['--experimental-vm-modules'] : [];
  jest = spawn(process.execPath, [...flags, join(root, 'node_modules/jest/bin/jest.js'), ...testArguments], {
    cwd: root,
    env: { ...process.env, ...suite, ...variables },
    stdio: 'inherit',
    detached: ownGroup,
  });
  return new Promise((resolve) => {
    jest.once('exit', (code, signal) => resolve(code ?? 128 + constants.signals[signal]));
  });
}

/** What the reporter wrote, or a failure without a test when the run ended before that. */
function readReport(path, status) {
  if (existsSync(path)) return JSON.parse(readFileSync(path, 'utf8'));
  return { passed: 0, failed: 1, files: [], error: `The tests ended with status ${status} before their end` };
}

async function runOnce(testArguments, variables) {
  const TEST_REPORT = join(variables.TMPDIR, `report-${randomBytes(4).toString('hex')}.json`);
  const status = await runJest(testArguments, { ...variables, TEST_REPORT });
  await endLeftovers();
  return { status, report: readReport(TEST_REPORT, status) };
}

/** In CI a file that failed runs once more, alone: a test that passes then is reported as flaky. */
async function runTests(variables) {
  let { status, report } = await runOnce(selection, variables);
  if (process.env.CI && !interrupted && isRerunUseful(report)) {
    const reruns = [];
    for (const { path } of report.files.filter(({ failures }) => failures.length > 0)) {
      console.log(`\nOnce more, alone: ${path}`);
      reruns.push((await runOnce([...args.filter(isOption), '--runTestsByPath', path], variables)).report);
    }
    report = combine(report, reruns);
    status = report.failed > 0 ? 1 : 0;
  }
  printReport(report);
  if (status === 0 && report.passed + report.failed === 0) {
    console.error('No test of these files has this title.');
    return 1;
  }
  return status || (report.failed > 0 ? 1 : 0);
}

requireNode24();
const selection = jestArguments();
if (selection === undefined) {
  console.log('0 passed, 0 failed');
  process.exit();
}
// Not when a test runs it: other tests are running what is built.
if (process.env.TEST_RUN_ID === undefined) await ensureBuilt();
const { combine, isRerunUseful, printReport } = await import('./rerun.ts');
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, interrupt);
// All temporary files are in one folder, which is removed at the end, whatever the result.
const folder = mkdtempSync(join(tmpdir(), 'vitrine-test-'));
const watcher = watch();
watcher.add(folder);
// Under root the database server runs as another user, which must be able to traverse the folder.
chmodSync(folder, 0o711);
const memory = folderInMemory();
const { url, stop } = await database(memory ?? folder);
let pgBouncer;
try {
  pgBouncer = await pooler(url, folder);
  const variables = { TEST_DATABASE_URL: url, TEST_RUN_ID: run, TMPDIR: folder, ...pgBouncer.variables };
  const status = interrupted ? undefined : await runTests(variables);
  process.exitCode = interrupted ? 128 + constants.signals[interrupted] : status;
} finally {
  await endLeftovers();
  await pgBouncer?.stop();
  try {
    await stop();
  } finally {
    for (const command of await endAllOf(folder)) console.error(`Left running by a test: ${command}`);
    rmSync(folder, { recursive: true, force: true });
    if (memory !== undefined) rmSync(memory, { recursive: true, force: true });
    watcher.end();
  }
}
