import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startOf } from '../../local/process-identity.js';
import { until } from '../support/until.js';
import { databasePid } from './started.js';

const sources = ['src', 'local', 'packages', 'deploy/sql'];
const files = ['package.json', 'nest-cli.json', 'tsconfig.json', 'tsconfig.build.json', 'ormconfig.ts'];
const place = mkdtempSync(join(tmpdir(), 'vitrine-folder-'));
const checkout = join(place, 'Büro Berichte');

beforeAll(() => {
  chmodSync(place, 0o711);
  mkdirSync(checkout, { mode: 0o755 });
  const isBuilt = (path: string): boolean => path.endsWith('/dist');
  for (const name of [...sources, ...files]) {
    cpSync(name, join(checkout, name), { recursive: true, filter: (path) => !isBuilt(path) });
  }
  symlinkSync(resolve('node_modules'), join(checkout, 'node_modules'));
});
afterAll(() => rmSync(place, { recursive: true, force: true }));

/** `npm start` as npm runs it, in that folder; a second command keeps its shell from becoming the program. */
function npmStart() {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: { start: string } };
  const { HOME } = process.env;
  const shell = spawn('sh', ['-c', `${scripts.start}; true`], {
    cwd: checkout,
    env: {
      PATH: `${resolve('node_modules/.bin')}:/usr/bin:/bin`,
      HOME,
      PORT: '0',
      npm_lifecycle_event: 'start',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const started = { shell, output: '' };
  for (const stream of [shell.stdout, shell.stderr])
    stream.on('data', (text) => (started.output += String(text)));
  return started;
}

const childOf = (pid = 0): number =>
  Number(spawnSync('ps', ['-o', 'pid=', '--ppid', String(pid)], { encoding: 'utf8' }).stdout.trim());

describe('npm start in a folder with a space and an umlaut', () => {
  test('builds, reports each step with its time, is ready, and ends with the shell of npm (D1, D9, D11)', async () => {
    const started = npmStart();
    const { shell } = started;
    await until(() => started.output.includes('Press Ctrl-C to stop') || shell.exitCode !== null, 400);
    expect(started.output).toContain('Vitrine is ready at http');
    expect(started.output).toMatch(/^Building the service… \d+ s$/m);
    expect(started.output).toMatch(/^Building the portal… \d+ s$/m);
    const programs = [childOf(shell.pid), await databasePid(join(checkout, '.data'))];
    const gone = once(shell, 'exit');
    shell.kill('SIGTERM');
    await gone;
    await until(() => programs.every((pid) => startOf(pid) === null));
    expect(started.output).toContain('Stopping…');
  }, 500_000);
});
