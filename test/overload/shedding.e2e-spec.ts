import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { securityHeaders } from '../../src/core/http/security-headers.js';
import { type ApiResponse, Client } from '../support/client.js';
import { sendRaw } from '../support/raw.js';
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

/** Requests that stay at work until the lock is released. */
async function hang(service: Service, client: Client, count: number): Promise<Promise<ApiResponse>[]> {
  lock ??= await lockTable(service.environment.DATABASE_URL ?? '', 'workspaces');
  const before = await lock.waiting();
  const hanging = Array.from({ length: count }, () => client.get('/api/workspaces'));
  await until(async () => (await lock?.waiting()) === before + count);
  return hanging;
}

const refusal = {
  status: 503,
  body: { code: 'overloaded', type: 'urn:vitrine:problem:overloaded', status: 503 },
};

describe('concurrent requests', () => {
  let service: Service;
  let admin: Client;

  beforeAll(async () => {
    service = await startService({
      MAX_REQUESTS_IN_FLIGHT: '4',
      REQUEST_DEADLINE_SECONDS: '60',
    });
    admin = await service.asAdmin();
  });
  afterAll(() => service.close());

  test('LOAD-03: are limited; one more gets 503 immediately, and the others complete', async () => {
    const hanging = await hang(service, admin, 4);
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
    const hanging = await hang(service, admin, 4);
    expect((await service.api.get('/livez')).status).toBe(200);
    expect((await service.api.get('/readyz')).status).toBe(200);
    await lock?.release();
    lock = undefined;
    await Promise.all(hanging);
  });

  test('LOAD-03: do not include requests whose body is still being received', async () => {
    const slow = Array.from({ length: 8 }, () =>
      sendRaw(
        service.url,
        'POST /api/auth/token HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 50\r\n\r\n{',
        1,
      ),
    );
    expect((await admin.get('/api/users')).status).toBe(200);
    await Promise.all(slow);
  });

  test('LOAD-03: do not include callers that have disconnected', async () => {
    lock = await lockTable(service.environment.DATABASE_URL ?? '', 'workspaces');
    const leaving = new AbortController();
    const left = Array.from({ length: 4 }, () =>
      fetch(`${service.url}/api/workspaces`, {
        headers: { authorization: `Bearer ${admin.token}` },
        signal: leaving.signal,
      }).catch(() => undefined),
    );
    await until(async () => (await lock?.waiting()) === 4);
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
      const asked = [sendRaw(service.url, get('/api/users')), sendRaw(service.url, get('/livez'))];
      // They are connected and on their way by now; the loop is the service's too.
      await nextTurn();
      await nextTurn();
      spinUntil(performance.now() + 1500);
      const [refused, probe] = await Promise.all(asked);
      expect(refused?.text).toContain('"code":"overloaded"');
      expect(refused?.text).toMatch(/retry-after: \d+\r/i);
      expect(probe?.status).toBe(200);
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
      let hanging: Promise<ApiResponse>[] = [];
      await until(async () => {
        // Two that fit whatever the loop does; a refusal before they wait is asked anew.
        hanging = await hang(service, admin, 2);
        return true;
      });
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
