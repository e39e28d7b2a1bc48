import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { request } from 'node:http';
import { type ReplicaProcess, type ReplicaProcesses, startReplicaProcesses } from './support/replicas.js';
import { type Service, startService } from './support/service.js';
import { until } from './support/until.js';

let service: Service;
let replicas: ReplicaProcesses;
let replica: ReplicaProcess;

beforeAll(async () => {
  service = await startService({ LOG_LEVEL: 'debug', ANSWER_MEMORY_MB: '16' });
  replicas = await startReplicaProcesses(service, 1);
  [replica] = replicas.all;
});
afterAll(async () => {
  await replicas.close();
  await service.close();
});

/** Past what `fetch` would refuse to send. */
const raw = (path: string, headers: Record<string, string>): Promise<number> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(replica.url);
    request({ hostname, port, path, headers }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    })
      .on('error', reject)
      .end();
  });

test('a setting without effect is named in the log at startup', () => {
  const lines = replica.output().trimEnd().split('\n');
  const parsed = lines.map((line) => JSON.parse(line) as { msg?: string; level: number });
  expect(parsed.filter(({ msg }) => msg?.includes('ANSWER_MEMORY_MB'))).toMatchObject([{ level: 40 }]);
});

test('OBS-05 request data cannot forge a log line', async () => {
  const forged = '{"level":60,"msg":"forged"}';
  const paths = [`/api/x%0a${encodeURIComponent(forged)}`, `/api/%1b[2J%0d%0a${encodeURIComponent(forged)}`];
  for (const path of paths) await raw(path, { 'user-agent': `a\t${forged}`, 'x-request-id': forged });
  await replica.api.post('/api/auth/token', `{"email": "\n${forged}\n", "x\u001b[2J": "\r\n${forged}"}`);
  await until(() => replica.output().split('"path":"/api/auth/token"').length > 1);
  const lines = replica.output().trimEnd().split('\n');
  const parsed = lines.map((line) => JSON.parse(line) as { msg?: string; level: number });
  expect(parsed.filter(({ msg, level }) => msg === 'forged' || level === 60)).toEqual([]);
  // oxlint-disable-next-line no-control-regex
  expect(replica.output()).not.toMatch(/[\u0000-\u0009\u000b-\u001f]/);
});

test('OBS-09 the request id is in the response, the log and the audit trail', async () => {
  const answer = await replica.api.post(
    '/api/auth/token',
    { email: 'nobody@example.com', password: 'x' },
    { 'x-request-id': 'follow-me-1' },
  );
  expect(answer.headers.get('x-request-id')).toBe('follow-me-1');
  expect(answer.body.request_id).toBe('follow-me-1');
  await until(() => replica.output().includes('"request_id":"follow-me-1"'));
  const rows = await service.database.query<object[]>(
    `SELECT action FROM audit_events WHERE request_id = 'follow-me-1'`,
  );
  expect(rows).toEqual([{ action: 'sign_in_failed' }]);
});

test('OBS-06 a closed log output does not stop the service', async () => {
  replica.process.stdout?.destroy();
  replica.process.stderr?.destroy();
  for (let count = 0; count < 50; count += 1) {
    expect((await replica.api.get('/api/workspaces')).status).toBe(401);
  }
  const admin = await service.factory.admin();
  const answer = await replica.api.post('/api/auth/token', {
    email: admin.email,
    password: 'correct horse battery staple',
  });
  expect(answer.status).toBe(200);
  expect(replica.process.exitCode).toBeNull();
});

test('OBS-06 a blocked log output does not block requests or shutdown', async () => {
  const stuck = await startReplicaProcesses(service, 1);
  const [blocked] = stuck.all;
  blocked.process.stdout?.pause();
  // More than the pipe and both of its ends can hold.
  const agent = 'x'.repeat(200);
  for (let round = 0; round < 40; round += 1) {
    const path = `/api/${'y'.repeat(1000)}`;
    const asked = Array.from({ length: 50 }, () => blocked.api.get(path, { 'user-agent': agent }));
    for (const { status } of await Promise.all(asked)) expect(status).toBe(404);
  }
  expect(blocked.output().length).toBeLessThan(2_000_000);
  const exited = once(blocked.process, 'exit');
  blocked.process.kill('SIGTERM');
  expect((await exited)[0]).toBe(0);
});
