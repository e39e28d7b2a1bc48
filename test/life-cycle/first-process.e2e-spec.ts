import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { freePort } from '../../local/free-port.js';
import { processesOfTest } from '../support/processes-of-test.js';
import { built, compileCache } from '../support/program.js';
import { type Service, startService } from '../support/service.js';
import { until } from '../support/until.js';

const endsWithTest = processesOfTest();
let service: Service;

beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

test('LIFE-10: the first process of a container handles SIGTERM', async () => {
  const port = await freePort();
  // A process with a namespace of its own, as a container has; it ends with the namespace.
  const args = ['--pid', '--fork', '--kill-child', '--', process.execPath, built('src/main.js')];
  const outer = endsWithTest(
    spawn('unshare', args, {
      env: { ...compileCache, ...service.environment, PATH: process.env.PATH, PORT: String(port) },
      stdio: 'ignore',
    }),
  );
  await until(async () => (await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => null))?.ok, 60);
  const children = readFileSync(`/proc/${outer.pid}/task/${outer.pid}/children`, 'utf8').trim();
  expect(children).toMatch(/^\d+$/);
  const exit = once(outer, 'exit');
  process.kill(Number(children), 'SIGTERM');
  expect(await exit).toEqual([0, null]);
}, 120_000);
