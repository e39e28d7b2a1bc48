import type { ChildProcess } from 'node:child_process';
import { afterEach } from '@jest/globals';
import { endProcess } from './child-process.js';

/** For a test file: the returned function has a process killed after the current test, whatever the result. */
export function processesOfTest(): <T extends ChildProcess>(child: T) => T {
  const processes: ChildProcess[] = [];
  afterEach(async () => {
    await Promise.all(processes.splice(0).map((child) => endProcess(child, 'SIGKILL')));
  });
  return (child) => {
    processes.push(child);
    return child;
  };
}
