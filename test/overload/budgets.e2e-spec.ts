import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { freePort } from '../../local/free-port.js';
import { Report } from '../../src/reports/report.entity.js';
import { behindProxy, newAddress } from '../support/guessing.js';
import { type Answer, Client } from '../support/client.js';
import { type MuteRedis, startMuteRedis } from '../support/redis.js';
import { startReplica } from '../support/replica.js';
import { type Service, startService } from '../support/service.js';

// Counts requests.
Client.warms = false;

/** Statuses and how often each was answered, of so many requests one after the other. */
async function ask(times: number, send: () => Promise<Answer>): Promise<Record<number, number>> {
  const counts: Record<number, number> = {};
  for (let count = 0; count < times; count += 1) {
    const { status } = await send();
    counts[status] = (counts[status] ?? 0) + 1;
  }
  return counts;
}

const itemsOf = (answer: Answer, name: string): string[] => (answer.headers.get(name) ?? '').split(', ');

describe('budgets', () => {
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

  test('LOAD-09: every answer tells both budgets, as structured fields', async () => {
    const ada = await somebody();
    const answer = await ada.get('/api/workspaces', from(newAddress()));
    expect(answer.status).toBe(200);
    expect(itemsOf(answer, 'ratelimit-policy')).toEqual(['"address";q=60;w=60', '"person";q=20;w=60']);
    const [address, person] = itemsOf(answer, 'ratelimit');
    expect(address).toMatch(/^"address";r=59;t=\d+$/);
    expect(person).toMatch(/^"person";r=19;t=\d+$/);
  });

  test('LOAD-09: beyond a person’s own a request is a 429, wherever it comes from; others go on', async () => {
    const [ada, lin] = [await somebody(), await somebody()];
    expect(await ask(20, () => ada.get('/api/workspaces', from(newAddress())))).toEqual({ 200: 20 });
    const refused = await ada.get('/api/reports', from(newAddress()));
    expect(refused).toMatchObject({ status: 429, body: { code: 'rate_limited' } });
    expect(refused.headers.get('retry-after')).toMatch(/^[1-9]\d?$/);
    expect(itemsOf(refused, 'ratelimit')[1]).toMatch(/^"person";r=0;t=\d+$/);
    expect((await lin.get('/api/workspaces', from(newAddress()))).status).toBe(200);
  });

  test('LOAD-09: beyond an address’s own a request is a 429, whoever sends it; other addresses go on', async () => {
    const [address, ada] = [newAddress(), await somebody()];
    expect(await ask(60, () => service.api.get('/api/workspaces', from(address)))).toEqual({ 401: 60 });
    const refused = await ada.get('/api/workspaces', from(address));
    expect(refused).toMatchObject({ status: 429, body: { code: 'rate_limited' } });
    expect(itemsOf(refused, 'ratelimit')).toEqual([expect.stringMatching(/^"address";r=0;t=\d+$/)]);
    expect((await ada.get('/api/workspaces', from(newAddress()))).status).toBe(200);
    expect((await service.api.get('/livez', from(address))).status).toBe(200);
  });

  test('LOAD-09: of embed tokens there are a tenth', async () => {
    const grace = await service.asAdmin();
    const { id } = await service.database.getRepository(Report).findOneByOrFail({ name: 'Revenue overview' });
    const embed = () => grace.send('POST', `/api/reports/${id}/embed-token`, { headers: from(newAddress()) });
    const first = await embed();
    expect(first.status).toBe(200);
    expect(itemsOf(first, 'ratelimit-policy')).toContain('"embed-token";q=2;w=60');
    expect((await embed()).status).toBe(200);
    expect(await embed()).toMatchObject({ status: 429, body: { code: 'rate_limited' } });
    expect((await grace.get('/api/reports', from(newAddress()))).status).toBe(200);
  });
});

test('LOAD-09: zero lifts every budget, and nothing is told of it', async () => {
  const service = await startService({ RATE_LIMIT_API_PER_MINUTE: '0' });
  try {
    const ada = await service.as(await service.factory.user());
    const answer = await ada.get('/api/workspaces');
    expect(answer.status).toBe(200);
    expect(answer.headers.get('ratelimit-policy')).toBeNull();
  } finally {
    await service.close();
  }
});

describe('without a Redis that answers', () => {
  let mute: MuteRedis;

  beforeAll(async () => {
    mute = await startMuteRedis();
  });
  afterAll(() => mute.close());

  test.each([
    ['is not there', async () => `redis://127.0.0.1:${await freePort()}`],
    ['does not answer', async () => mute.url],
  ])('LOAD-09 LIFE-07: one that %s leaves the service ready and no budget open', async (_name, redis) => {
    const service = await startService({ RATE_LIMIT_API_PER_MINUTE: '10', REDIS_URL: await redis() });
    try {
      const ada = await service.as(await service.factory.user());
      expect((await service.api.get('/readyz')).status).toBe(200);
      expect(await ask(15, () => ada.get('/api/workspaces'))).toEqual({ 200: 10, 429: 5 });
    } finally {
      await service.close();
    }
  });

  test('LOAD-09: the one that does not answer was asked', () => {
    expect(mute.commands.some((command) => command.includes('vitrine:api-'))).toBe(true);
  });
});

const given = process.env.REDIS_URL === undefined ? [] : [process.env.REDIS_URL];

for (const redisUrl of given) {
  test('LOAD-09: replicas share the budget through Redis', async () => {
    const service = await startService({ RATE_LIMIT_API_PER_MINUTE: '10', REDIS_URL: redisUrl });
    const replica = await startReplica(service);
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
