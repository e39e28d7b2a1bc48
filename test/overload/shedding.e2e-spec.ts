import { setImmediate as nextTurn } from 'node:timers/promises';
import { once } from 'node:events';
import { afterAll, afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { ApiRateLimitsService } from '../../src/platform/rate-limit/api-rate-limits.service.js';
import { LoadShedderService } from '../../src/core/http/load-shedder.service.js';
import { securityHeaders } from '../../src/core/http/security-headers.js';
import { Client } from '../support/client.js';
import { openSocket, sendRaw } from '../support/raw.js';
import { type Service, startService } from '../support/service.js';
import { lockTable, type TableLock } from '../support/table-lock.js';
import { until } from '../support/until.js';

// Counts requests.
Client.warms = false;

let lock: TableLock | undefined;

afterEach(async () => {
  await lock?.release();
  lock = undefined;
});

const listing = 'WITH visible';

/**
 * Requests that stay at work until the lock is released. A client reads a response slightly before the service frees the
 * slot of its request, so that the next one may be refused: it is sent again.
 */
async function hang<T extends { status: number }>(
  { databaseUrl }: Service,
  send: () => Promise<T>,
  count: number,
): Promise<Promise<T>[]> {
  const held = (lock = await lockTable(databaseUrl, 'workspaces'));
  const hanging: Promise<T>[] = [];
  while (hanging.length < count) {
    const sent = send();
    const refused = sent.then(({ status }) => status === 503);
    const waits = held.blocks(listing, hanging.length + 1).then(() => false);
    if (await Promise.race([refused, waits])) continue;
    hanging.push(sent);
  }
  return hanging;
}

const refusal = {
  status: 503,
  body: { code: 'overloaded', type: 'urn:vitrine:problem:overloaded', status: 503 },
};

describe('concurrent requests', () => {
  let service: Service;
  let admin: Client;

  test('of clients that leave before they are counted take no slot', async () => {
    const limits = service.app.get(ApiRateLimitsService);
    const waiting = jest
      .spyOn(limits, 'consumeAddress')
      .mockImplementation(async (_, response) => void (await once(response, 'close')));
    for (let n = 0; n < 8; n += 1) {
      const socket = await openSocket(service.url);
      socket.write('GET /api/workspaces HTTP/1.1\r\nHost: vitrine.test\r\n\r\n');
      await until(() => waiting.mock.calls.length > n);
      socket.destroy();
    }
    waiting.mockRestore();
    expect((await admin.get('/api/workspaces')).status).toBe(200);
  });

  beforeAll(async () => {
    service = await startService({
      MAX_REQUESTS_IN_FLIGHT: '4',
      REQUEST_DEADLINE_SECONDS: '60',
    });
    admin = await service.asAdmin();
  });
  afterAll(() => service.close());

  test('LOAD-03: are limited; one more gets 503 immediately, and the others complete', async () => {
    const hanging = await hang(service, () => admin.get('/api/workspaces'), 4);
    const response = await admin.get('/api/users');
    expect(response).toMatchObject(refusal);
    expect(response.headers.get('retry-after')).toMatch(/^\d+$/);
    for (const [name, value] of Object.entries(securityHeaders({ hstsIncludesSubdomains: false }))) {
      expect([name, response.headers.get(name)]).toEqual([name, value]);
    }
    await lock?.release();
    lock = undefined;
    for (const { status } of await Promise.all(hanging)) expect(status).toBe(200);
    expect((await admin.get('/api/users')).status).toBe(200);
  });

  test('LOAD-03: do not include the probes', async () => {
    const hanging = await hang(service, () => admin.get('/api/workspaces'), 4);
    expect((await service.api.get('/livez')).status).toBe(200);
    expect((await service.api.get('/readyz')).status).toBe(200);
    await lock?.release();
    lock = undefined;
    await Promise.all(hanging);
  });

  test('LOAD-03: do not include requests whose body is still being received', async () => {
    const slow = await Promise.all(Array.from({ length: 8 }, () => openSocket(service.url)));
    const bytes =
      'POST /api/auth/token HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 50\r\n\r\n{';
    for (const socket of slow) socket.write(bytes);
    await until(() => service.app.get(LoadShedderService).openRequests >= slow.length);
    expect((await admin.get('/api/users')).status).toBe(200);
    for (const socket of slow) socket.destroy();
  });

  test('LOAD-03: do not include callers that have disconnected', async () => {
    const leaving = new AbortController();
    const headers = { authorization: `Bearer ${admin.token}` };
    const send = (): Promise<{ status: number }> =>
      fetch(`${service.url}/api/workspaces`, { headers, signal: leaving.signal }).catch(() => ({
        status: 0,
      }));
    const left = await hang(service, send, 4);
    leaving.abort();
    await Promise.all(left);
    await until(async () => (await admin.get('/api/users')).status === 200);
  });
});

describe('the event loop', () => {
  const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`;
  const spinUntil = (end: number): void => {
    while (performance.now() < end);
  };

  test('LOAD-01: when it is delayed all requests but the probes get 503, until it recovers', async () => {
    const service = await startService({ SHED_LOOP_DELAY_MS: '500' });
    try {
      const refused = await until(async () => {
        const asked = [sendRaw(service.url, get('/api/users')), sendRaw(service.url, get('/livez'))];
        // The requests are usually on their way after two turns; otherwise they arrive too late, and are sent again.
        await nextTurn();
        await nextTurn();
        // The loop is the service's, too.
        spinUntil(performance.now() + 1500);
        const [response, probe] = await Promise.all(asked);
        expect(probe?.status).toBe(200);
        return response?.status === 503 && response.text;
      });
      expect(refused).toContain('"code":"overloaded"');
      expect(refused).toMatch(/retry-after: \d+\r/i);
      await until(async () => (await service.api.get('/api/users')).status === 401);
    } finally {
      await service.close();
    }
  });

  test('LOAD-01: while it is saturated a quarter of the concurrent requests is accepted', async () => {
    const service = await startService({
      SHED_LOOP_UTILIZATION_PERCENT: '90',
      MAX_REQUESTS_IN_FLIGHT: '8',
      REQUEST_DEADLINE_SECONDS: '60',
    });
    const restless = new AbortController();
    const busy = async (): Promise<void> => {
      while (!restless.signal.aborted) {
        spinUntil(performance.now() + 5);
        await nextTurn();
      }
    };
    try {
      const admin = await service.asAdmin();
      // Two that fit whatever the loop does.
      const hanging = await hang(service, () => admin.get('/api/workspaces'), 2);
      const work = busy();
      await until(async () => (await admin.get('/api/users')).status === 503);
      restless.abort();
      await work;
      await until(async () => (await admin.get('/api/users')).status === 200);
      await lock?.release();
      lock = undefined;
      for (const { status } of await Promise.all(hanging)) expect(status).toBe(200);
    } finally {
      restless.abort();
      await service.close();
    }
  });
});
