import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { startOf } from '../../local/process-identity.js';
import { runApart } from './run-apart.js';

const folder = mkdtempSync(join(tmpdir(), 'vitrine-apart-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Runs this code as the program of a scenario. */
function run(code: string, { order = {}, limitSeconds = 60 } = {}): Promise<object> {
  const program = join(folder, 'program.mjs');
  writeFileSync(program, code);
  return runApart({ root: process.cwd(), program, order, limitSeconds });
}

test('a program gets its order and returns its result', async () => {
  const result = await run(`process.send(JSON.parse(process.argv[2]), () => process.exit());`, {
    order: { id: 'F1' },
  });
  expect(result).toEqual({ id: 'F1' });
});

test('a program that does not end is killed at its limit, with everything that it started', async () => {
  const pids = join(folder, 'pids');
  const endless = `import { spawn } from 'node:child_process';
    import { writeFileSync } from 'node:fs';
    const left = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { detached: true, stdio: 'ignore' });
    writeFileSync(${JSON.stringify(pids)}, process.pid + ' ' + left.pid);
    setInterval(() => {}, 1000);`;
  await expect(run(endless, { limitSeconds: 4 })).rejects.toThrow(
    /did not end within 4 s; running: .*setInterval/,
  );
  const started = readFileSync(pids, 'utf8').split(' ');
  expect(started.map((pid) => startOf(Number(pid)))).toEqual([null, null]);
});

test('a program that ends without a result has failed', async () => {
  await expect(run('process.exit(3);')).rejects.toThrow('it ended with 3');
});
