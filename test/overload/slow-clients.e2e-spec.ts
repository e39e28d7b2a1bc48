import { once } from 'node:events';
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Config } from '../../src/core/config/config.js';
import { environmentFor } from '../support/environment.js';
import { expectProblem, openSocket, readAll, sendRaw } from '../support/raw.js';
import { type Service, startService } from '../support/service.js';
import { until } from '../support/until.js';

let service: Service;

beforeAll(async () => {
  service = await startService({
    HEADERS_TIMEOUT_SECONDS: '1',
    REQUEST_TIMEOUT_SECONDS: '2',
    STALLED_READER_SECONDS: '2',
    REQUEST_DEADLINE_SECONDS: '1',
    MAX_CONNECTIONS: '20',
    DOCS_ENABLED: 'true',
  });
});
afterAll(() => service.close());

const server = (): Server => service.app.getHttpServer();
const connections = (): Promise<number> =>
  new Promise((resolve, reject) => {
    server().getConnections((error, count) => (error === null ? resolve(count) : reject(error)));
  });

test('LOAD-05 LOAD-06 LOAD-07: the limits have the documented defaults', () => {
  const { serverLimits } = Config.load(
    environmentFor({ databaseUrl: 'postgres://db/none', emulatorUrl: 'http://127.0.0.1:1' }),
  );
  expect(serverLimits).toMatchObject({
    headersSeconds: 10,
    requestSeconds: 30,
    stalledSeconds: 30,
    keepAliveSeconds: 65,
    maxConnections: 2000,
    deadlineSeconds: 15,
    embedDeadlineSeconds: 12,
    maxInFlight: 256,
  });
});

test('LOAD-05 LOAD-06 LOAD-07: the server has its limits before it listens', () => {
  expect(server()).toMatchObject({
    headersTimeout: 1000,
    requestTimeout: 2000,
    // Longer than an embed token may take.
    timeout: 13_000,
    keepAliveTimeout: 65_000,
    maxConnections: 20,
  });
});

describe('slow clients', () => {
  test('LOAD-05: incomplete headers get 408, and the connection is closed', async () => {
    const response = await sendRaw(service.url, 'GET /livez HTTP/1.1\r\nHost: x\r\nX-More:');
    expect(response).toMatchObject({ status: 408, closed: true });
    expectProblem(response.text, 'request_timeout', '/');
  });

  test('LOAD-05: a byte now and then does not extend the timeout', async () => {
    const socket = await openSocket(service.url);
    socket.write('GET /livez HTTP/1.1\r\nHost: x\r\nX-More: ');
    const drip = setInterval(() => socket.write('a'), 100);
    const response = await readAll(socket);
    clearInterval(drip);
    expect(response).toMatchObject({ status: 408, closed: true });
  });

  test('LOAD-05: a connection that sends nothing is closed', async () => {
    expect((await sendRaw(service.url, '')).closed).toBe(true);
  });

  test('LOAD-06: an incomplete body gets 408, and the connection is closed', async () => {
    const head = 'POST /api/auth/token HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n';
    const id = 'X-Request-Id: slow-1\r\n';
    const response = await sendRaw(service.url, `${head}${id}Content-Length: 100\r\n\r\n{"email":`);
    expect(response).toMatchObject({ status: 408, closed: true });
    expectProblem(response.text, 'request_timeout', '/api/auth/token');
    expect(response.text).toContain('"request_id":"slow-1"');
  });
});

test('LOAD-06: a client that does not read its responses is disconnected', async () => {
  const accepted = once(server(), 'connection') as Promise<[Socket]>;
  const socket = await openSocket(service.url);
  const [served] = await accepted;
  const closed = once(served, 'close');
  socket.pause();
  const request = 'GET /openapi.json HTTP/1.1\r\nHost: x\r\n\r\n';
  // More than all buffers on the way can hold.
  socket.write(request.repeat(1000));
  await closed;
  socket.destroy();
});

describe('connections', () => {
  test('LOAD-07: connections above the limit are closed, and closing others frees capacity', async () => {
    const open = await Promise.all(Array.from({ length: 40 }, () => openSocket(service.url)));
    const closed = (): number => open.filter((socket) => socket.readableEnded || socket.closed).length;
    for (const socket of open) socket.resume();
    await until(() => closed() >= 20);
    for (const socket of open) socket.destroy();
    await until(async () => (await fetch(`${service.url}/livez`).catch(() => undefined))?.ok);
  });

  test('LOAD-07: have a longer keep-alive than a load balancer', async () => {
    const { text } = await sendRaw(service.url, 'GET /livez HTTP/1.1\r\nHost: x\r\n\r\n', /\r\n\r\n/);
    expect(text).toMatch(/^connection: keep-alive\r$/im);
    expect(text).toMatch(/^keep-alive: timeout=65\r$/im);
  });
});

test('LOAD-11: hundreds of requests, a third of them aborted, leave no request and no connection behind', async () => {
  // A sign-in on a busy machine may exceed the deadline of a second.
  const admin = await until(() => service.asAdmin().catch(() => undefined));
  const before = await connections();
  for (let round = 0; round < 30; round += 1) {
    const leaving = new AbortController();
    const ask = (path: string, signal?: AbortSignal): Promise<unknown> =>
      fetch(service.url + path, { headers: { authorization: `Bearer ${admin.token}` }, signal })
        .then((response) => response.arrayBuffer())
        .catch(() => undefined);
    const asked = ['/api/users', '/api/workspaces', '/api/reports', '/nowhere'].map((path) => ask(path));
    const left = [ask('/api/users', leaving.signal), ask('/api/reports', leaving.signal)];
    leaving.abort();
    await Promise.all([...asked, ...left]);
  }
  await until(async () => (await connections()) <= before + 10);
  const { master } = service.database.driver as unknown as {
    master: { totalCount: number; idleCount: number; waitingCount: number };
  };
  await until(() => master.waitingCount === 0 && master.idleCount === master.totalCount);
});
