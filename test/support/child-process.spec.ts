import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from '@jest/globals';
import { endProcess, isRunning } from './child-process.js';
import { processesOfTest } from './processes-of-test.js';

const endsWithTest = processesOfTest();

/** Runs this code, which prints a line when it is ready. */
async function start(code: string): Promise<ChildProcess> {
  const child = endsWithTest(spawn(process.execPath, ['-e', code], { stdio: ['ignore', 'pipe', 'inherit'] }));
  await once(child.stdout, 'data');
  return child;
}

const staying = `setInterval(() => {}, 1000); console.log('ready');`;

test('a process that a signal has paused is ended', async () => {
  const child = await start(staying);
  child.kill('SIGSTOP');
  await endProcess(child);
  expect([isRunning(child), child.signalCode]).toEqual([false, 'SIGTERM']);
});

test('a process that ignores the signal is killed after the limit', async () => {
  const child = await start(`process.on('SIGTERM', () => {}); ${staying}`);
  expect(await endProcess(child, 'SIGTERM', 100)).toBeNull();
  expect(child.signalCode).toBe('SIGKILL');
});

test('a process that has ended is not waited for', async () => {
  const child = await start(`console.log('ready'); process.exitCode = 3;`);
  await once(child, 'exit');
  expect(await endProcess(child)).toBe(3);
});
