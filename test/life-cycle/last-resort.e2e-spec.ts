import { once } from 'node:events';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Client } from '../support/client.js';
import { startReplicaProcess } from '../support/replicas.js';
import { type Service, startService } from '../support/service.js';
import { lockTable } from '../support/table-lock.js';
import { until } from '../support/until.js';

let service: Service;

beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

/** Code that nobody awaits, and that fails when the test says so. */
const failing = (how: string): string =>
  `--import=data:text/javascript,${encodeURIComponent(`process.on('SIGUSR2', () => { ${how} })`)}`;

test.each([
  ['uncaughtException', "throw new Error('nobody caught this')"],
  ['unhandledRejection', "Promise.reject(new Error('nobody caught this'))"],
])('ERR-06 %s: logged, pending requests complete, and the process exits', async (origin, how) => {
  const admin = await service.asAdmin();
  const replica = await startReplicaProcess({
    ...service.environment,
    LOG_LEVEL: 'info',
    NODE_OPTIONS: failing(how),
  });
  const lock = await lockTable(service.databaseUrl, 'workspaces');
  try {
    const asked = new Client(replica.url, admin.token).send('GET', '/api/workspaces', {});
    await lock.blocks('WITH visible');
    const exited = once(replica.process, 'exit');
    replica.process.kill('SIGUSR2');
    await until(() => replica.output().includes(`shutting down: ${origin}`));
    await lock.release();
    expect((await asked).status).toBe(200);
    expect(await exited).toEqual([1, null]);
    expect(replica.output()).toContain('nobody caught this');
  } finally {
    replica.process.kill('SIGKILL');
    await lock.release();
  }
});
