import { afterAll, describe, expect, test } from '@jest/globals';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { InUse, lock } from '../../local/lock.js';

const folder = mkdtempSync(join(tmpdir(), 'vitrine-lock-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Waits for a line on stdin, tries, says what came of it, and holds on until it is ended. */
const contender = `import { lock } from './dist/local/lock.js';
  process.stdin.once('data', () => {
    try { lock(process.argv[1]); console.log('owner ' + process.pid); }
    catch (error) { console.log('refused ' + error.pid); }
  });
  console.log('here');`;

async function contenders(path: string, count: number) {
  const all = Array.from({ length: count }, () =>
    spawn(process.execPath, ['--input-type=module', '-e', contender, path], {
      stdio: ['pipe', 'pipe', 'inherit'],
    }),
  );
  const lines = all.map((child) => createInterface({ input: child.stdout })[Symbol.asyncIterator]());
  await Promise.all(lines.map((line) => line.next()));
  for (const child of all) child.stdin.write('go\n');
  const said = await Promise.all(lines.map(async (line) => String((await line.next()).value)));
  return { all, said };
}

async function end(all: ChildProcess[]) {
  await Promise.all(
    all.map(async (child) => {
      const gone = once(child, 'exit');
      child.kill('SIGKILL');
      await gone;
    }),
  );
}

function expectOneOwner(said: string[]) {
  const owners = said.filter((line) => line.startsWith('owner '));
  expect(owners).toHaveLength(1);
  const pid = owners.join().replace('owner ', '');
  expect(said.filter((line) => line === `refused ${pid}`)).toHaveLength(said.length - 1);
}

describe('the lock of a data folder', () => {
  test('DUR-05: refuses a second owner with the PID of the first, and is removed on release', () => {
    const path = join(folder, 'plain');
    const release = lock(path);
    expect(() => lock(path)).toThrow(new InUse(process.pid));
    release();
    expect(existsSync(path)).toBe(false);
    lock(path)();
  });

  test('is taken over when its PID now belongs to another process', () => {
    const path = join(folder, 'reused');
    writeFileSync(path, JSON.stringify({ pid: process.pid, started: 'another time', id: 'x' }));
    const release = lock(path);
    expect(() => lock(path)).toThrow(InUse);
    release();
  });

  test('is taken over when a crash left it empty', () => {
    const path = join(folder, 'empty');
    writeFileSync(path, '');
    lock(path)();
    expect(existsSync(path)).toBe(false);
  });

  test('has exactly one owner when twelve processes compete for a stale lock, repeatedly', async () => {
    const path = join(folder, 'raced');
    for (let round = 0; round < 4; round += 1) {
      const { all, said } = await contenders(path, 12);
      await end(all);
      expectOneOwner(said);
    }
    expect(readdirSync(folder).filter((name) => name.startsWith('raced'))).toEqual(['raced']);
  });
});
