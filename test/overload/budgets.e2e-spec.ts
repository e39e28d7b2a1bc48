import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { freePort } from '../../local/free-port.js';
import { Report } from '../../src/reports/report.entity.js';
import { behindProxy, newAddress } from '../support/guessing.js';
import { type ApiResponse, asServiceAccount, Client } from '../support/client.js';
import { type UnresponsiveRedis, startUnresponsiveRedis } from '../support/unresponsive-redis.js';
import { startInProcessReplica } from '../support/replicas.js';
import { type Service, startService } from '../support/service.js';

// Counts requests.
Client.warms = false;

/** Statuses and how often each was answered, of so many requests one after the other. */
async function ask(times: number, send: () => Promise<ApiResponse>): Promise<Record<number, number>> {
  const counts: Record<number, number> = {};
  for (let count = 0; count < times; count += 1) {
    const { status } = await send();
    counts[status] = (counts[status] ?? 0) + 1;
  }
  return counts;
}

const itemsOf = (response: ApiResponse, name: string): string[] =>
  (response.headers.get(name) ?? '').split(', ');

describe('rate limits', () => {
  let service: Service;

  beforeAll(async () => {
    service = await startService({
      ...behindProxy,
      RATE_LIMIT_API_PER_MINUTE: '20',
      RATE_LIMIT_ADDRESS_PER_MINUTE: '60',
    });
    await service.sync();
  });
  afterAll(() => service.close());

  const from = (address: string) => ({ 'x-forwarded-for': address });
  const somebody = async (): Promise<Client> => service.as(await service.factory.user());

  test('LOAD-09: every response has both limits, as structured fields', async () => {
    const ada = await somebody();
    const response = await ada.get('/api/workspaces', from(newAddress()));
    expect(response.status).toBe(200);
    expect(itemsOf(response, 'ratelimit-policy')).toEqual(['"address";q=60;w=60', '"person";q=20;w=60']);
    const [address, person] = itemsOf(response, 'ratelimit');
    expect(address).toMatch(/^"address";r=59;t=\d+$/);
    expect(person).toMatch(/^"person";r=19;t=\d+$/);
  });

  test('LOAD-09: above the limit of a user requests get 429 from any address; other users are not affected', async () => {
    const [ada, lin] = [await somebody(), await somebody()];
    expect(await ask(20, () => ada.get('/api/workspaces', from(newAddress())))).toEqual({ 200: 20 });
    const refused = await ada.get('/api/reports', from(newAddress()));
    expect(refused).toMatchObject({ status: 429, body: { code: 'rate_limited' } });
    expect(refused.headers.get('retry-after')).toMatch(/^[1-9]\d?$/);
    expect(itemsOf(refused, 'ratelimit')[1]).toMatch(/^"person";r=0;t=\d+$/);
    expect((await lin.get('/api/workspaces', from(newAddress()))).status).toBe(200);
  });

  test('LOAD-09: above the limit of an address requests get 429 for any user; other addresses are not affected', async () => {
    const [address, ada] = [newAddress(), await somebody()];
    expect(await ask(60, () => service.api.get('/api/workspaces', from(address)))).toEqual({ 401: 60 });
    const refused = await ada.get('/api/workspaces', from(address));
    expect(refused).toMatchObject({ status: 429, body: { code: 'rate_limited' } });
    expect(itemsOf(refused, 'ratelimit')).toEqual([expect.stringMatching(/^"address";r=0;t=\d+$/)]);
    expect((await ada.get('/api/workspaces', from(newAddress()))).status).toBe(200);
    expect((await service.api.get('/livez', from(address))).status).toBe(200);
  });

  test('LOAD-09: the limit of an address includes downloads by a one-time link', async () => {
    const address = newAddress();
    const download = () => service.api.get('/exports/file?ticket=x', from(address));
    expect(await ask(60, download)).toEqual({ 404: 60 });
    expect(await download()).toMatchObject({ status: 429, body: { code: 'rate_limited' } });
  });

  test('LOAD-09: the limit of an address includes sign-ins through the provider: a page, which keeps their cookie', async () => {
    const address = newAddress();
    const back = () => service.api.get(`/login/callback?state=${'x'.repeat(43)}`, from(address));
    expect(await ask(60, back)).toEqual({ 400: 60 });
    const { status, headers } = await back();
    expect([status, headers.get('content-type'), headers.get('set-cookie')]).toEqual([
      429,
      'text/html; charset=utf-8',
      null,
    ]);
    expect(headers.get('retry-after')).toMatch(/^[1-9]\d?$/);
  });

  /** Requests an embed token of a report with the right to view or to edit, which are two tokens. */
  const embedAs = async (client: Client, name: string, access: 'view' | 'edit') => {
    const { id } = await service.database.getRepository(Report).findOneByOrFail({ name });
    const body = { headers: from(newAddress()), body: { access } };
    return client.send('POST', `/api/reports/${id}/embed-token`, body);
  };

  test('LOAD-09: new embed tokens have a tenth of the limit; those from the cache do not count', async () => {
    const grace = await service.asAdmin();
    const first = await embedAs(grace, 'Revenue overview', 'view');
    expect(first.status).toBe(200);
    expect(itemsOf(first, 'ratelimit-policy')).toContain('"embed-token";q=2;w=60');
    expect((await embedAs(grace, 'Revenue overview', 'edit')).status).toBe(200);
    const refused = await embedAs(grace, 'Product mix', 'view');
    expect(refused).toMatchObject({ status: 429, body: { code: 'rate_limited' } });
    expect((await embedAs(grace, 'Revenue overview', 'view')).status).toBe(200);
    expect((await grace.get('/api/reports', from(newAddress()))).status).toBe(200);
  });

  /** A service account that may edit these reports. */
  const someRobot = async (...reports: string[]): Promise<Client> => {
    const grace = await service.asAdmin();
    const { body: account } = await grace.post<{ id: string; client_secret: string }>(
      '/api/service-accounts',
      { name: 'Portal' },
    );
    for (const name of reports) {
      const { workspaceId } = await service.database.getRepository(Report).findOneByOrFail({ name });
      const path = `/api/workspaces/${workspaceId}/members/${account.id}`;
      expect((await grace.put(path, { role: 'manager' })).status).toBeLessThan(300);
    }
    return asServiceAccount(service.url, account);
  };

  test('LOAD-09: a service account has a limit of its own, also for new embed tokens', async () => {
    const robot = await someRobot('Revenue overview', 'Product mix');
    for (const name of ['Revenue overview', 'Product mix'])
      for (const access of ['view', 'edit'] as const) {
        const { status, headers } = await embedAs(robot, name, access);
        expect([status, headers.get('ratelimit-policy')]).toEqual([
          200,
          '"address";q=60;w=60, "service-account";q=40;w=60',
        ]);
      }
  });
});

test('LOAD-09: zero disables all limits and their headers', async () => {
  const service = await startService({ RATE_LIMIT_API_PER_MINUTE: '0' });
  try {
    const ada = await service.as(await service.factory.user());
    const response = await ada.get('/api/workspaces');
    expect(response.status).toBe(200);
    expect(response.headers.get('ratelimit-policy')).toBeNull();
  } finally {
    await service.close();
  }
});

describe('without a responding Redis', () => {
  let unresponsive: UnresponsiveRedis;

  beforeAll(async () => {
    unresponsive = await startUnresponsiveRedis();
  });
  afterAll(() => unresponsive.close());

  test.each([
    ['is unreachable', async () => `redis://127.0.0.1:${await freePort()}`],
    ['does not respond', async () => unresponsive.url],
  ])(
    'LOAD-09 LIFE-07: one that %s leaves the service ready and every limit enforced',
    async (_name, redis) => {
      const service = await startService({ RATE_LIMIT_API_PER_MINUTE: '10', REDIS_URL: await redis() });
      try {
        const ada = await service.as(await service.factory.user());
        expect((await service.api.get('/readyz')).status).toBe(200);
        expect(await ask(15, () => ada.get('/api/workspaces'))).toEqual({ 200: 10, 429: 5 });
      } finally {
        await service.close();
      }
    },
  );

  test('LOAD-09: the unresponsive Redis received commands', () => {
    expect(unresponsive.commands.some((command) => command.includes('vitrine:api-'))).toBe(true);
  });
});

const given = process.env.REDIS_URL === undefined ? [] : [process.env.REDIS_URL];

for (const redisUrl of given) {
  test('LOAD-09: replicas share the limit through Redis', async () => {
    const service = await startService({ RATE_LIMIT_API_PER_MINUTE: '10', REDIS_URL: redisUrl });
    const replica = await startInProcessReplica(service);
    try {
      const ada = await service.as(await service.factory.user());
      expect(await ask(6, () => ada.get('/api/workspaces'))).toEqual({ 200: 6 });
      const there = replica.as(ada);
      expect(await ask(6, () => there.get('/api/workspaces'))).toEqual({ 200: 4, 429: 2 });
      expect((await ada.get('/api/workspaces')).status).toBe(429);
    } finally {
      await replica.close();
      await service.close();
    }
  });
}
