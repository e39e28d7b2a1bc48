import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type ApiResponse, asServiceAccount, type Client } from './support/client.js';
import { type Service, startService } from './support/service.js';
import { until } from './support/until.js';

let service: Service;
let admin: Client;

beforeAll(async () => {
  service = await startService();
  admin = await service.asAdmin();
});
afterAll(() => service.close());

interface Events {
  events: { id: string; seq: number; type: string; subject: string; data: object; at: string }[];
}

const list = (query = '') => admin.get<Events>(`/api/events${query}`);

async function createGroups(count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let n = 0; n < count; n += 1) {
    const { body } = await admin.post<{ id: string }>('/api/groups', { name: `Group ${Math.random()}` });
    ids.push(body.id);
  }
  await until(async () => {
    const { body } = await list('?type=group.created');
    return body.events.some(({ subject }) => subject === `group/${ids.at(-1)}`);
  });
  return ids;
}

describe('GET /api/events', () => {
  test('200: events in order, with ids only', async () => {
    const ids = await createGroups(2);
    const { status, body } = await list('?type=group.created');
    expect(status).toBe(200);
    expect(body.events).toEqual(
      ids.map((id) => ({
        id: expect.any(String),
        seq: expect.any(Number),
        type: 'group.created',
        subject: `group/${id}`,
        data: { actor_id: expect.any(String), group_id: id },
        at: expect.any(String),
      })),
    );
    const [first, second] = body.events;
    expect(second?.seq).toBe((first?.seq ?? 0) + 1);
  });

  test('200: pages by Link without gap or repetition', async () => {
    await createGroups(5);
    const all = (await list()).body.events;
    const paged: Events['events'] = [];
    for (let path: string | undefined = '/api/events?limit=2'; path !== undefined;) {
      const { headers, body }: ApiResponse<Events> = await admin.get(path);
      expect(body.events.length).toBeLessThanOrEqual(2);
      paged.push(...body.events);
      path = /<(.+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1];
    }
    expect(paged).toEqual(all);
    expect(all.map(({ seq }) => seq)).toEqual(all.map((_, n) => n + 1));
  });

  test('200: after is exclusive, and several types are separated by commas', async () => {
    const [id = ''] = await createGroups(1);
    const [created] = (await list('?type=group.created')).body.events.slice(-1);
    await admin.delete(`/api/groups/${id}`);
    const query = `?type=group.deleted,group.created&after=${(created?.seq ?? 0) - 1}`;
    const events = await until(async () => {
      const found = (await list(query)).body.events;
      return found.length === 2 && found;
    });
    expect(events.map(({ type }) => type)).toEqual(['group.created', 'group.deleted']);
    expect((await list(`?after=${events[1]?.seq}`)).body.events).toEqual([]);
  });

  test.each([
    ['after=-1', 'after'],
    ['after=1e3', 'after'],
    ['after=', 'after'],
    ['after=9007199254740993', 'after'],
    ['after=999999999', 'after'],
    ['type=', 'type'],
    ['type=user.created,unknown', 'type'],
    ['limit=0', 'limit'],
    ['cursor=x', 'cursor'],
  ])('400: ?%s', async (query, name) => {
    const response = await list(`?${query}`);
    expect(response).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
    expect(JSON.stringify(response.body)).toContain(name);
  });

  test('200: an admin service account', async () => {
    const { body: account } = await admin.post<{ id: string; client_secret: string }>(
      '/api/service-accounts',
      { name: 'SIEM', role: 'admin' },
    );
    const siem = await asServiceAccount(service.url, account);
    expect((await siem.get('/api/events')).status).toBe(200);
  });

  test('403: a member', async () => {
    const member = await service.as(await service.factory.user());
    expect(await member.get('/api/events')).toMatchObject({ status: 403, body: { code: 'access_denied' } });
  });

  test('410: events after the position are no longer stored', async () => {
    await service.database.query('DELETE FROM events WHERE seq <= 2');
    expect(await list('?after=1')).toMatchObject({
      status: 410,
      body: { code: 'events_expired', detail: 'Events before 3 are no longer stored. Continue after 2.' },
    });
    expect((await list('?after=2&limit=1')).body.events[0]?.seq).toBe(3);
    expect((await list('?limit=1')).body.events[0]?.seq).toBe(3);
  });
});
