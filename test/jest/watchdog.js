// A thread of a worker: a blocked event loop stops the time limits of the tests too.
import { writeSync } from 'node:fs';
import { parentPort } from 'node:worker_threads';

const LIMIT_SECONDS = Number(process.env.TEST_FILE_SECONDS ?? 1200);
let timer;

/** Receives the path of a file when it begins, and nothing when it ends. */
parentPort.on('message', (path) => {
  clearTimeout(timer);
  if (path === undefined) return;
  timer = setTimeout(() => {
    writeSync(2, `${path} has not ended after ${LIMIT_SECONDS} s: its process is killed.\n`);
    process.kill(process.pid, 'SIGKILL');
  }, LIMIT_SECONDS * 1000);
});
