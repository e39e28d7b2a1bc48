import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { Client } from 'pg';
import { startOf } from '../local/process-identity.js';
import { endProcess } from './support/child-process.js';
import { createDatabase } from './support/database.js';
import { until } from './support/until.js';

const { TEST_DATABASE_URL: server = '', TEST_RUN_ID: thisRun = '' } = process.env;

async function databasesOfOtherRuns(): Promise<string[]> {
  const client = new Client({ connectionString: server });
  await client.connect();
  const { rows } = await client.query<{ datname: string }>('SELECT datname FROM pg_database');
  await client.end();
  return rows.map(({ datname }) => datname).filter((name) => !name.includes(thisRun));
}

let folder: string;
let run: ChildProcess | undefined;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'vitrine-run-'));
  chmodSync(folder, 0o711);
});
afterEach(async () => {
  if (run?.pid !== undefined) {
    await endProcess(run);
    try {
      process.kill(-run.pid, 'SIGKILL');
    } catch {
      // Its process group has ended.
    }
  }
  run = undefined;
  rmSync(folder, { recursive: true, force: true });
});

/** Another run, in its own process group, whose temporary files are in `folder`. */
function start(file: string, variables: NodeJS.ProcessEnv = {}) {
  const child = spawn(process.execPath, ['test/run.js', file], {
    env: { ...process.env, TMPDIR: folder, ...variables },
    stdio: ['ignore', 'ignore', 'pipe'],
    detached: true,
  });
  run = child;
  return { child, errors: text(child.stderr) };
}

describe('npm test with an existing server', () => {
  test('removes every database that it created, and no other', async () => {
    const mine = await createDatabase();
    const before = await databasesOfOtherRuns();
    const { child, errors } = start('test/health.e2e-spec.ts', { DATABASE_URL: server });
    const [code] = (await once(child, 'exit')) as [number];
    expect({ code, said: code === 0 ? '' : await errors }).toEqual({ code: 0, said: '' });
    expect(await databasesOfOtherRuns()).toEqual(before);
    await mine.drop();
  }, 300_000);
});

/** PIDs of the programs that a process has started, by a part of their command line. */
function childOf(pid: number | undefined, part: string): number | undefined {
  const { stdout } = spawnSync('ps', ['-o', 'pid=,args=', '--ppid', String(pid)], { encoding: 'utf8' });
  const line = stdout.split('\n').find((each) => each.includes(part));
  return line === undefined ? undefined : Number.parseInt(line, 10);
}

describe('npm test that is killed', () => {
  test('leaves no database server, no test and no temporary file', async () => {
    const { child } = start('test/support/child-process.spec.ts', { DATABASE_URL: undefined });
    const tests = await until(() => childOf(child.pid, 'jest.js'), 60);
    const postgres = await until(() => childOf(child.pid, 'postgres'));
    child.kill('SIGKILL');
    await until(() => startOf(tests) === null && startOf(postgres) === null);
    await until(() => readdirSync(folder).length === 0);
  }, 180_000);
});
