import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Client } from '../support/client.js';
import { type Service, startService } from '../support/service.js';
import { eventsOf, type GroupBody, pagesOf } from './group-api.js';

let service: Service;
let admin: Client;
let member: Client;
let manager: Client;

beforeAll(async () => {
  service = await startService();
  admin = await service.asAdmin();
  member = await service.as(await service.factory.user());
  manager = await service.asMember(await service.factory.workspace(), 'manager');
});
afterAll(() => service.close());

const create = (body: object) => admin.post<GroupBody & { code: string }>('/api/groups', body);
const named = (groups: readonly GroupBody[]) => groups.map(({ name }) => name);

/** No caller but an admin passes the guard, whatever the id. */
async function expectAdminsOnly(method: string, path: string, body?: object): Promise<void> {
  expect((await service.api.send(method, path, { body })).status).toBe(401);
  expect((await member.send(method, path, { body })).status).toBe(403);
  expect((await manager.send(method, path, { body })).status).toBe(403);
}

describe('POST /api/groups', () => {
  test('201: an empty manual group, with an audit event', async () => {
    const { status, headers, body } = await create({ name: ' Sales ', description: 'All of sales' });
    expect(status).toBe(201);
    expect(headers.get('location')).toBe(`/api/groups/${body.id}`);
    expect(body).toEqual({
      id: expect.any(String),
      name: 'Sales',
      description: 'All of sales',
      source: 'manual',
      member_count: 0,
      created_at: expect.any(String),
    });
    expect(await eventsOf(service, body)).toEqual([{ action: 'group_created', details: { name: 'Sales' } }]);
  });

  test('201: without a description, and with the same Idempotency-Key once', async () => {
    const key = { 'idempotency-key': uuidv7() };
    const first = await admin.post<GroupBody>('/api/groups', { name: 'Once' }, key);
    const second = await admin.post<GroupBody>('/api/groups', { name: 'Once' }, key);
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(second.body).toEqual({ ...first.body, description: null });
  });

  test.each([{}, { name: '' }, { name: ' ' }, { name: 'a'.repeat(201) }, { name: 'x', source: 'scim' }])(
    '400: %j',
    async (body) => {
      expect((await create(body)).body.code).toBe('invalid_request');
    },
  );

  test('400: a description that is too long or not readable', async () => {
    for (const description of ['', 'a'.repeat(1001), 'two\nlines', 5]) {
      expect((await create({ name: uuidv7(), description })).status).toBe(400);
    }
  });

  test('401, 403: admins only', () => expectAdminsOnly('POST', '/api/groups', { name: 'x' }));

  test.each([
    ['Marketing', 'MARKETING'],
    ['ÄRZTE', 'ärzte'],
    ['ΣΊΣΥΦΟΣ', 'σίσυφος'],
    ['Cafe\u0301', 'CAFÉ'],
    ['東京', ' 東京 '],
  ])('409: %s and %s are the same name', async (first, second) => {
    expect((await create({ name: first })).status).toBe(201);
    const { status, body } = await create({ name: second });
    expect(status).toBe(409);
    expect(body).toMatchObject({ code: 'group_name_taken', errors: [{ pointer: '/name' }] });
  });

  test('409: one of two equal names at once', async () => {
    const responses = await Promise.all([create({ name: 'Twin' }), create({ name: 'TWIN' })]);
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([201, 409]));
    expect(responses.map(({ body }) => body.code)).toContain('group_name_taken');
  });
});

describe('GET /api/groups', () => {
  test('200: ordered by name, ignoring case, with the number of people', async () => {
    const [ada, ben] = [await service.factory.user(), await service.factory.user()];
    await service.factory.group({ name: 'order c' }, [ada, ben]);
    await service.factory.group({ name: 'Order B' }, [ada]);
    await service.factory.group({ name: 'ORDER a' });
    const { status, body } = await admin.get<{ groups: GroupBody[] }>('/api/groups?q=order');
    expect(status).toBe(200);
    expect(body.groups.map(({ name, member_count }) => [name, member_count])).toEqual([
      ['ORDER a', 0],
      ['Order B', 1],
      ['order c', 2],
    ]);
    const descending = await admin.get<{ groups: GroupBody[] }>('/api/groups?q=order&sort=-name');
    expect(named(descending.body.groups)).toEqual(['order c', 'Order B', 'ORDER a']);
  });

  test('200: in pages, each group once', async () => {
    const names = ['page 1', 'page 2', 'page 3', 'page 4', 'page 5'];
    for (const name of names) await service.factory.group({ name });
    const pages = await pagesOf<{ groups: GroupBody[] }>(admin, '/api/groups?q=page&limit=2');
    expect(pages.map(({ groups }) => named(groups))).toEqual([
      names.slice(0, 2),
      names.slice(2, 4),
      names.slice(4),
    ]);
  });

  test('400: an unknown order, parameter or cursor', async () => {
    for (const query of ['sort=source', 'effective=true', 'cursor=x', 'limit=0'])
      expect((await admin.get(`/api/groups?${query}`)).status).toBe(400);
  });

  test('401, 403: admins only', () => expectAdminsOnly('GET', '/api/groups'));
});

describe('GET /api/groups/:id', () => {
  test('200', async () => {
    const group = await service.factory.group({ source: 'scim' }, [await service.factory.user()]);
    const { status, body } = await admin.get(`/api/groups/${group.id.toUpperCase()}`);
    expect(status).toBe(200);
    expect(body).toMatchObject({ id: group.id, name: group.name, source: 'scim', member_count: 1 });
  });

  test('400: not an id', async () => expect((await admin.get('/api/groups/sales')).status).toBe(400));

  test('401, 403: admins only', () => expectAdminsOnly('GET', `/api/groups/${uuidv7()}`));

  test('404', async () => {
    const { status, body } = await admin.get(`/api/groups/${uuidv7()}`);
    expect([status, body.code]).toEqual([404, 'group_not_found']);
  });
});

describe('PATCH /api/groups/:id', () => {
  const patch = (id: string, body: object) =>
    admin.patch<GroupBody & { code: string }>(`/api/groups/${id}`, body);

  test('200: changes what is given; the audit event contains the difference', async () => {
    const group = await service.factory.group({ name: 'Before', description: 'Old' });
    expect((await patch(group.id, { name: 'After' })).body).toMatchObject({
      name: 'After',
      description: 'Old',
    });
    expect((await patch(group.id, { description: null })).body.description).toBeNull();
    expect(await eventsOf(service, group)).toEqual([
      { action: 'group_updated', details: { diff: { name: { from: 'Before', to: 'After' } } } },
      { action: 'group_updated', details: { diff: { description: { from: 'Old', to: null } } } },
    ]);
  });

  test('200: no audit event without a change, and its own name in another case', async () => {
    const group = await service.factory.group({ name: 'Case' });
    expect((await patch(group.id, {})).status).toBe(200);
    expect((await patch(group.id, { name: 'Case' })).status).toBe(200);
    expect(await eventsOf(service, group)).toEqual([]);
    expect((await patch(group.id, { name: 'CASE' })).body.name).toBe('CASE');
  });

  test('400: an invalid name', async () => {
    const group = await service.factory.group();
    for (const name of ['', null, 5]) expect((await patch(group.id, { name })).status).toBe(400);
  });

  test('401, 403: admins only', () => expectAdminsOnly('PATCH', `/api/groups/${uuidv7()}`, { name: 'x' }));

  test('404', async () => expect((await patch(uuidv7(), { name: 'x' })).body.code).toBe('group_not_found'));

  test('409: the name of another group', async () => {
    const [group, other] = [await service.factory.group(), await service.factory.group()];
    const { status, body } = await patch(group.id, { name: other.name.toUpperCase() });
    expect(status).toBe(409);
    expect(body).toMatchObject({ code: 'group_name_taken', errors: [{ pointer: '/name' }] });
  });

  test.each(['provider', 'scim'] as const)('409: a group of %s keeps its name', async (source) => {
    const group = await service.factory.group({ source });
    expect((await patch(group.id, { name: uuidv7() })).body.code).toBe('group_managed_elsewhere');
    expect((await patch(group.id, { name: group.name, description: 'Here' })).status).toBe(200);
  });
});

describe('DELETE /api/groups/:id', () => {
  test('204: with an audit event for the group, and for each grant and membership that ends with it', async () => {
    const { factory } = service;
    const [user, inner] = [await factory.user(), await factory.group()];
    const group = await factory.group({}, [user, inner]);
    const outer = await factory.group({}, [group]);
    const workspace = await factory.workspace();
    const report = await factory.report(workspace);
    const set = (path: string, expires_at?: string) =>
      admin.put(`/api/${path}/grants/groups/${group.id}`, { role: 'viewer', expires_at });
    expect((await set(`workspaces/${workspace.id}`)).status).toBeLessThan(300);
    expect((await set(`reports/${report.id}`)).status).toBeLessThan(300);
    const events = await eventsOf(service, group);
    expect((await admin.delete(`/api/groups/${group.id}`)).status).toBe(204);
    expect((await admin.get(`/api/groups/${group.id}`)).status).toBe(404);
    const removed = (member_type: string, { id }: { id: string }) => ({
      action: 'group_member_removed',
      details: { source: 'manual', member_type, member_id: id },
    });
    expect((await eventsOf(service, group)).slice(events.length)).toEqual([
      removed('group', inner),
      removed('user', user),
      { action: 'grant_removed', details: { workspace_id: workspace.id } },
      { action: 'grant_removed', details: { workspace_id: workspace.id, report_id: report.id } },
      { action: 'group_deleted', details: { name: group.name } },
    ]);
    expect(await eventsOf(service, outer)).toEqual([removed('group', group)]);
  });

  test('204: more than 50 members are recorded in events of up to 1000', async () => {
    const group = await service.factory.group();
    await service.database.query(
      `WITH added AS (
         INSERT INTO users (id, email, name, role, status, created_at)
         SELECT gen_random_uuid(), gen_random_uuid() || '@example.com', 'Member', 'member', 'active', now()
         FROM generate_series(1, 1001) RETURNING id)
       INSERT INTO group_edges (group_id, user_id, source, created_at) SELECT $1, id, 'manual', now() FROM added`,
      [group.id],
    );
    expect((await admin.delete(`/api/groups/${group.id}`)).status).toBe(204);
    const sizes = (await eventsOf(service, group)).map(
      ({ details }) => (details as { members?: number }).members,
    );
    expect(sizes).toEqual([1000, 1, undefined]);
  });

  test('401, 403: admins only', () => expectAdminsOnly('DELETE', `/api/groups/${uuidv7()}`));

  test('404', async () => expect((await admin.delete(`/api/groups/${uuidv7()}`)).status).toBe(404));

  test.each(['provider', 'scim'] as const)('409: a group of %s', async (source) => {
    const group = await service.factory.group({ source });
    expect((await admin.delete(`/api/groups/${group.id}`)).body.code).toBe('group_managed_elsewhere');
  });
});
