import { request } from 'node:http';
import { networkInterfaces } from 'node:os';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Call } from '@vitrine/power-bi-emulator';
import { EmulatorClient, type Named } from '../support/emulator-client.js';
import { until } from '../support/until.js';

let emulator: EmulatorClient;

beforeAll(async () => {
  emulator = await EmulatorClient.start();
});
beforeEach(() => emulator.reset());
afterAll(() => emulator.close());

async function calls(): Promise<Call[]> {
  return (await emulator.control<{ calls: Call[] }>('GET', '/calls')).body.calls;
}

describe('calls', () => {
  test('are recorded with principal and result, without secrets', async () => {
    await emulator.get('/groups?$top=1');
    const [entra, groups] = await calls();
    expect(entra).toMatchObject({
      method: 'POST',
      status: 200,
      principal: expect.any(String),
      body: { grant_type: 'client_credentials', client_secret: '[redacted]' },
    });
    expect(groups).toMatchObject({
      at: expect.stringMatching(/Z$/),
      method: 'GET',
      path: '/v1.0/myorg/groups',
      query: { $top: '1' },
      status: 200,
      principal: entra!.principal,
    });
  });

  test('can be filtered', async () => {
    await emulator.get('/groups');
    await emulator.get('/capacities');
    const path = '/calls?method=GET&path=' + encodeURIComponent('/groups$');
    expect((await emulator.control<{ calls: Call[] }>('GET', path)).body.calls).toHaveLength(1);
    expect((await emulator.control('GET', '/calls?path=(')).status).toBe(400);
  });

  test('are cleared by reset', async () => {
    await emulator.control('POST', '/reset');
    expect(await calls()).toEqual([]);
  });
});

describe('faults', () => {
  test('replace the given number of matching responses', async () => {
    await emulator.control('POST', '/faults', {
      method: 'get',
      path: '/groups$',
      status: 503,
      body: 'busy',
      times: 2,
    });
    const statuses = [];
    for (let call = 0; call < 3; call++) statuses.push((await emulator.get('/groups')).status);
    expect(statuses).toEqual([503, 503, 200]);
  });

  test('can apply to every nth call only', async () => {
    await emulator.control('POST', '/faults', { path: '/groups$', retry_after: 1, every: 3 });
    const statuses = [];
    for (let call = 0; call < 6; call++) statuses.push((await emulator.get('/groups')).status);
    expect(statuses).toEqual([200, 200, 429, 200, 200, 429]);
  });

  test('apply to Entra too', async () => {
    await emulator.control('POST', '/faults', { path: '/oauth2/v2.0/token$', status: 503, times: 1 });
    expect((await emulator.askEntra()).status).toBe(503);
    expect((await emulator.askEntra()).status).toBe(200);
  });

  test('throttle with Retry-After, until cleared', async () => {
    await emulator.control('POST', '/faults', { path: '/reports', retry_after: 7 });
    const group = await emulator.workspace('Sales');
    const { status, headers } = await emulator.get(`/groups/${group.id}/reports`);
    expect([status, headers.get('retry-after')]).toEqual([429, '7']);
    await emulator.control('DELETE', '/faults');
    expect((await emulator.get(`/groups/${group.id}/reports`)).status).toBe(200);
  });

  test('drop connections, hang, and delay', async () => {
    await emulator.control('POST', '/faults', { path: '/groups', reset: true, times: 1 });
    await expect(emulator.get('/groups')).rejects.toThrow('fetch failed');
    await emulator.control('POST', '/faults', { path: '/groups', hang: true, times: 1 });
    const signal = AbortSignal.timeout(200);
    await expect(fetch(`${emulator.url}/v1.0/myorg/groups`, { signal })).rejects.toThrow('timeout');
    await emulator.control('POST', '/faults', { path: '/groups', delay_ms: 150, times: 1 });
    const before = performance.now();
    expect((await emulator.get('/groups')).status).toBe(200);
    // A lower bound, on any machine.
    expect(performance.now() - before).toBeGreaterThan(140);
  });

  test('hold calls until they are released, or the faults are cleared', async () => {
    await emulator.control('POST', '/faults', { path: '/myorg/groups$', hold: true });
    await emulator.control('POST', '/faults', { path: '/admin/groups$', hold: true, status: 503 });
    let answered = 0;
    const call = async (path: string): Promise<number> => {
      const { status } = await emulator.get(path);
      answered += 1;
      return status;
    };
    const listed = async (count: number): Promise<void> => {
      await until(async () => {
        const { body } = await emulator.control<{ calls: object[] }>('GET', '/calls?path=groups$');
        return body.calls.length === count;
      });
    };
    const first = call('/groups');
    await listed(1);
    await emulator.control('POST', '/faults/release');
    expect(await first).toBe(200);
    const others = [call('/groups'), call('/admin/groups?$top=1')];
    await listed(3);
    expect(answered).toBe(1);
    await emulator.control('DELETE', '/faults');
    expect(await Promise.all(others)).toEqual([200, 503]);
    expect(await call('/groups')).toBe(200);
  });

  test.each([{}, { path: '(' }, { path: 'x', status: 99 }, { path: 'x', tims: 1 }, { path: 'x', times: 0 }])(
    'are rejected when invalid: %j',
    async (fault) => {
      expect((await emulator.control('POST', '/faults', fault)).status).toBe(400);
    },
  );
});

describe('content', () => {
  test('is created when it is read: a size that exceeds the memory is possible', async () => {
    const size = { workspaces: 1000, reports_per_workspace: 10_000_000 };
    expect((await emulator.control('POST', '/content', size)).body).toEqual({ workspaces: 1000 });
  });

  test('of any size has reproducible ids', async () => {
    const size = { workspaces: 1000, reports_per_workspace: 100 };
    expect((await emulator.control('POST', '/content', size)).body).toEqual({ workspaces: 1000 });
    const { body } = await emulator.get<{ value: Named[] }>('/groups?$top=5000');
    expect(new Set(body.value.map(({ id }) => id)).size).toBe(1000);
    const reports = await emulator.get<{ value: Named[] }>(`/groups/${body.value[999]!.id}/reports`);
    expect(reports.body.value).toHaveLength(100);
    const counted = await emulator.control<{ content: object }>('GET', '/');
    expect(counted.body.content).toEqual({ workspaces: 1000, reports: 100_000, datasets: 10_000 });
    await emulator.control('POST', '/content', size);
    const again = await emulator.get<{ value: Named[] }>(`/groups/${body.value[999]!.id}/reports`);
    expect(again.body.value.map(({ id }) => id)).toEqual(reports.body.value.map(({ id }) => id));
  });

  test('is rejected when it is neither a size nor a seed', async () => {
    expect((await emulator.control('POST', '/content', { workspaces: 3 })).status).toBe(400);
  });
});

describe('settings', () => {
  test.each([
    { nonsense: 1 },
    { entra_token_seconds: 0 },
    { tenant_switch: 'no' },
    { guesses: { not_found: 'x' } },
  ])('reject %j', async (change) => {
    expect((await emulator.control('PATCH', '/settings', change)).status).toBe(400);
  });

  test('can delay every call', async () => {
    await emulator.set({ latency_ms: 120 });
    const before = performance.now();
    await emulator.get('/groups');
    // A lower bound, on any machine.
    expect(performance.now() - before).toBeGreaterThan(110);
  });
});

describe('the clock', () => {
  test('sets the Date header', async () => {
    await emulator.advance(86_400);
    const { headers } = await emulator.askEntra().then(() => emulator.get('/groups'));
    const ahead = Date.parse(headers.get('date')!) - Date.now();
    expect(Math.round(ahead / 3_600_000)).toBe(24);
  });
});

describe('malformed requests', () => {
  test('return 400, not 500', async () => {
    expect((await emulator.get('/groups/%ZZ')).status).toBe(400);
    expect((await emulator.send('GET', '/%ZZ/oauth2/v2.0/token')).status).toBeLessThan(500);
  });
});

describe('a page of another origin', () => {
  test('cannot use the control routes', async () => {
    const headers = { 'Sec-Fetch-Site': 'cross-site' };
    expect((await emulator.send('POST', '/__emulator/reset', undefined, headers)).status).toBe(403);
  });
});

describe('start options', () => {
  test('set the content that reset restores, and the public URL', async () => {
    const other = await EmulatorClient.start({
      content: { workspaces: [{ name: 'Mine', reports: [{ name: 'Only one' }] }] },
      publicUrl: 'http://emulator.localhost:4000',
      allowedHosts: ['emulator.localhost'],
    });
    await other.control('POST', '/content', { workspaces: 3, reports_per_workspace: 1 });
    await other.reset();
    const { embedUrl } = await other.report('Mine', 'Only one');
    await other.close();
    expect(embedUrl).toMatch(/^http:\/\/emulator\.localhost:4000\/reportEmbed\?reportId=b0000001-/);
  });

  test.each([
    ['0.0.0.0', '127.0.0.1'],
    // Not every machine has IPv6.
    ...Object.values(networkInterfaces())
      .flatMap((addresses) => addresses ?? [])
      .filter(({ internal }) => internal)
      .map(({ address, family }) => [address, family === 'IPv6' ? `[${address}]` : address]),
  ])('set the address: %s is reached at %s', async (host, hostname) => {
    const other = await EmulatorClient.start({ host });
    const { embedUrl } = await other.report('Sales', 'Pipeline');
    expect([new URL(other.url).hostname, new URL(embedUrl).origin]).toEqual([hostname, other.url]);
    expect((await fetch(`${other.url}/__emulator`)).status).toBe(200);
    await other.close();
  });
});

describe('the Host header', () => {
  test('must be an allowed host name', async () => {
    const { hostname, port } = new URL(emulator.url);
    const status = await new Promise((resolve, reject) => {
      request({ hostname, port, path: '/__emulator', headers: { Host: 'rebound.example' } }, (response) =>
        resolve(response.resume().statusCode),
      )
        .on('error', reject)
        .end();
    });
    expect(status).toBe(421);
  });
});
