import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { Started } from './started.js';

const folder = mkdtempSync(join(tmpdir(), 'vitrine-started-'));
const program = join(folder, 'program.mjs');
afterAll(() => rmSync(folder, { recursive: true }));

test('the end of a start is not delayed by a process that it left', async () => {
  writeFileSync(
    program,
    `import { spawn } from 'node:child_process';
     const left = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'inherit', detached: true });
     left.unref();
     console.log('left ' + left.pid);
     process.exitCode = 3;`,
  );
  const started = new Started(folder, {}, program);
  expect(await started.ended()).toBe(3);
  const left = Number(/left (\d+)/.exec(started.output)?.[1]);
  // Fails if it has ended.
  process.kill(left, 'SIGKILL');
});

test('a paused start is ended', async () => {
  writeFileSync(program, `setInterval(() => {}, 1000);`);
  const started = new Started(folder, {}, program);
  process.kill(started.pid, 'SIGSTOP');
  expect(await started.signal('SIGTERM')).toBeNull();
  expect(started.running).toBe(false);
});
