import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Group } from '../../src/access/groups/group.entity.js';
import type { User } from '../../src/users/user.entity.js';
import type { Client } from '../support/client.js';
import { type Service, startService } from '../support/service.js';
import { eventsOf, GroupApi, type MemberBody, pagesOf, wrongRows } from './group-api.js';

let service: Service;
let groups: GroupApi;
let admin: Client;
let sales: Group;
let ada: User;

beforeAll(async () => {
  service = await startService();
  admin = await service.asAdmin();
  groups = new GroupApi(admin);
});
afterAll(() => service.close());
beforeEach(async () => {
  sales = await service.factory.group();
  ada = await service.factory.user();
});

const unknown = () => ({ id: uuidv7() });
const unknownUser = () => ({ id: uuidv7(), role: 'member' });
const codeOf = async (response: Promise<{ body: Record<string, unknown> }>) => (await response).body.code;

async function expectAdminsOnly(method: string, path: string, body?: object): Promise<void> {
  const member = await service.as(ada);
  const manager = await service.asMember(await service.factory.workspace(), 'manager');
  expect((await service.api.send(method, path, { body })).status).toBe(401);
  expect((await member.send(method, path, { body })).status).toBe(403);
  expect((await manager.send(method, path, { body })).status).toBe(403);
}

describe('GET /api/users/:id/groups', () => {
  const groupsOf = async (user: { id: string }, query = '') =>
    (await admin.get<{ groups: object[] }>(`/api/users/${user.id}/groups${query}`)).body.groups;

  test('200: the groups that contain the user, directly and through others, by name', async () => {
    const inner = await service.factory.group({ name: 'Inner team' });
    const outer = await service.factory.group({ name: 'All teams' }, [inner]);
    expect((await groups.add(inner, ada)).status).toBe(204);
    await service.factory.group({ name: 'Other team' });
    expect(await groupsOf(ada)).toEqual([
      { id: outer.id, name: 'All teams', source: 'manual', path: ['Inner team'] },
      { id: inner.id, name: 'Inner team', source: 'manual', path: [] },
    ]);
    expect(await groupsOf(ada, '?q=inner')).toMatchObject([{ id: inner.id }]);
    const pages = await pagesOf<{ groups: { id: string }[] }>(admin, `/api/users/${ada.id}/groups?limit=1`);
    expect(pages.map(({ groups: [group] }) => group?.id)).toEqual([outer.id, inner.id]);
    expect(await groupsOf(await service.factory.user())).toEqual([]);
  });

  test('200: a user lists their own groups at /api/users/me/groups', async () => {
    const eve = await service.factory.user();
    const inner = await service.factory.group({ name: 'Own inner' }, [eve]);
    const outer = await service.factory.group({ name: 'Own outer' }, [inner]);
    const reader = await service.as(eve);
    expect(await reader.get('/api/users/me/groups')).toMatchObject({
      status: 200,
      body: {
        groups: [
          { id: inner.id, path: [] },
          { id: outer.id, path: ['Own inner'] },
        ],
      },
    });
    const pages = await pagesOf<{ groups: { id: string }[] }>(reader, '/api/users/me/groups?limit=1');
    expect(pages.map(({ groups: [group] }) => group?.id)).toEqual([inner.id, outer.id]);
  });

  test('401, 403: for admins only', () => expectAdminsOnly('GET', `/api/users/${ada.id}/groups`));

  test('404: an unknown user', async () => {
    expect(await admin.get(`/api/users/${uuidv7()}/groups`)).toMatchObject({
      status: 404,
      body: { code: 'user_not_found' },
    });
  });
});

describe('GET /api/groups/:id/members', () => {
  test('200: people, service accounts and groups, ordered by name', async () => {
    const person = await service.factory.user({ name: 'beta' });
    const robot = await service.factory.user({ kind: 'service', name: 'Gamma', passwordHash: null });
    const inner = await service.factory.group({ name: 'Alpha' });
    sales = await service.factory.group({}, [robot, person, inner]);
    expect(await groups.members(sales)).toEqual([
      { type: 'group', id: inner.id, name: 'Alpha' },
      { type: 'user', id: person.id, name: 'beta', email: person.email },
      { type: 'user', id: robot.id, name: 'Gamma' },
    ]);
    const found = await groups.members(sales, '?q=alph');
    expect(found.map(({ id }) => id)).toEqual([inner.id]);
    expect((await groups.members(sales, `?q=${person.email}`)).map(({ id }) => id)).toEqual([person.id]);
  });

  test.each(['', '&effective=true'])('200: in pages of people with the same name %s', async (effective) => {
    const users = await Promise.all(Array.from({ length: 5 }, () => service.factory.user({ name: 'Same' })));
    await groups.addAll(sales, { users: users.map(({ id }) => id) });
    const path = `/api/groups/${sales.id}/members?limit=2${effective}`;
    const pages = await pagesOf<{ members: MemberBody[] }>(admin, path);
    expect(pages.flatMap(({ members }) => members.map(({ id }) => id))).toEqual(
      users.map(({ id }) => id).toSorted(),
    );
  });

  test('200: a disabled user stays a member', async () => {
    await groups.add(sales, ada);
    await admin.patch(`/api/users/${ada.id}`, { status: 'disabled' });
    expect((await groups.members(sales)).map(({ id }) => id)).toEqual([ada.id]);
    expect(await groups.count(sales)).toBe(1);
  });

  test('400: an invalid parameter, or the cursor of another list', async () => {
    for (const query of ['effective=1', 'sort=email', 'limit=x', 'type=user'])
      expect((await admin.get(`/api/groups/${sales.id}/members?${query}`)).status).toBe(400);
    await groups.addAll(sales, { users: [ada.id, (await service.factory.user()).id] });
    const { headers } = await admin.get(`/api/groups/${sales.id}/members?limit=1`);
    const next = /<(.*)>/.exec(headers.get('link') ?? '')?.[1] ?? '';
    const other = await service.factory.group();
    expect((await admin.get(next)).status).toBe(200);
    expect((await admin.get(next.replace(sales.id, other.id))).status).toBe(400);
    expect((await admin.get(`${next}&effective=true`)).status).toBe(400);
  });

  test('401, 403: admins only', () => expectAdminsOnly('GET', `/api/groups/${sales.id}/members`));

  test('404', async () =>
    expect(await codeOf(admin.get(`/api/groups/${uuidv7()}/members`))).toBe('group_not_found'));
});

describe('PUT /api/groups/:id/members/users/:user_id', () => {
  test('204: a person once, with one audit event', async () => {
    expect((await groups.add(sales, ada)).status).toBe(204);
    expect((await groups.add({ id: sales.id.toUpperCase() }, ada)).status).toBe(204);
    expect(await groups.count(sales)).toBe(1);
    const details = { source: 'manual', member_type: 'user', member_id: ada.id };
    expect(await eventsOf(service, sales)).toEqual([{ action: 'group_member_added', details }]);
  });

  test('204: a disabled user and a service account', async () => {
    const disabled = await service.factory.user({ status: 'disabled' });
    const robot = await service.factory.user({ kind: 'service', passwordHash: null });
    expect((await groups.add(sales, disabled)).status).toBe(204);
    expect((await groups.add(sales, robot)).status).toBe(204);
    expect(await groups.count(sales)).toBe(2);
  });

  test('401, 403: admins only', () =>
    expectAdminsOnly('PUT', `/api/groups/${sales.id}/members/users/${ada.id}`));

  test('404: an unknown group or user, or an erased user', async () => {
    expect(await codeOf(groups.add(unknown(), ada))).toBe('group_not_found');
    expect(await codeOf(groups.add(sales, unknownUser()))).toBe('user_not_found');
    const erased = await service.factory.user({ status: 'disabled', removedAt: new Date() });
    expect(await codeOf(groups.add(sales, erased))).toBe('user_not_found');
  });

  test('409: a group of SCIM', async () => {
    const scim = await service.factory.group({ source: 'scim' });
    expect(await codeOf(groups.add(scim, ada))).toBe('group_managed_elsewhere');
  });
});

describe('DELETE /api/groups/:id/members/users/:user_id', () => {
  test('204: with an audit event', async () => {
    await groups.add(sales, ada);
    expect((await groups.remove(sales, ada)).status).toBe(204);
    expect(await groups.members(sales)).toEqual([]);
    expect((await eventsOf(service, sales)).map(({ action }) => action)).toEqual([
      'group_member_added',
      'group_member_removed',
    ]);
  });

  test('401, 403: admins only', () =>
    expectAdminsOnly('DELETE', `/api/groups/${sales.id}/members/users/${ada.id}`));

  test('404: an unknown group, and a user who is not a direct member', async () => {
    expect(await codeOf(groups.remove(unknown(), ada))).toBe('group_not_found');
    expect(await codeOf(groups.remove(sales, ada))).toBe('group_member_not_found');
    expect(await codeOf(groups.remove(sales, unknownUser()))).toBe('group_member_not_found');
    await groups.add(await service.factory.group(), ada);
    expect(await codeOf(groups.remove(sales, ada))).toBe('group_member_not_found');
  });

  test('409: a group of the provider', async () => {
    const provided = await service.factory.group({ source: 'provider' }, [ada]);
    expect(await codeOf(groups.remove(provided, ada))).toBe('group_managed_elsewhere');
  });
});

describe('PUT /api/groups/:id/members/groups/:group_id', () => {
  test('204: a group once, also one of SCIM, with one audit event', async () => {
    const inner = await service.factory.group({ source: 'scim' }, [ada]);
    expect((await groups.add(sales, inner)).status).toBe(204);
    expect((await groups.add(sales, inner)).status).toBe(204);
    expect(await groups.count(sales)).toBe(1);
    const details = { source: 'manual', member_type: 'group', member_id: inner.id };
    expect(await eventsOf(service, sales)).toEqual([{ action: 'group_member_added', details }]);
  });

  test('401, 403: admins only', () =>
    expectAdminsOnly('PUT', `/api/groups/${sales.id}/members/groups/${uuidv7()}`));

  test('404: an unknown outer or inner group', async () => {
    expect(await codeOf(groups.add(unknown(), sales))).toBe('group_not_found');
    expect(await codeOf(groups.add(sales, unknown()))).toBe('group_not_found');
  });

  test('409: into a group of SCIM', async () => {
    const scim = await service.factory.group({ source: 'scim' });
    expect(await codeOf(groups.add(scim, sales))).toBe('group_managed_elsewhere');
  });
});

describe('DELETE /api/groups/:id/members/groups/:group_id', () => {
  test('204: with an audit event', async () => {
    const inner = await service.factory.group();
    await groups.add(sales, inner);
    expect((await groups.remove(sales, inner)).status).toBe(204);
    const details = { source: 'manual', member_type: 'group', member_id: inner.id };
    expect((await eventsOf(service, sales))[1]).toEqual({ action: 'group_member_removed', details });
  });

  test('401, 403: admins only', () =>
    expectAdminsOnly('DELETE', `/api/groups/${sales.id}/members/groups/${uuidv7()}`));

  test('404: not a direct member', async () => {
    const [middle, inner] = [await service.factory.group(), await service.factory.group()];
    await groups.add(sales, middle);
    await groups.add(middle, inner);
    expect(await codeOf(groups.remove(sales, inner))).toBe('group_member_not_found');
    expect(await codeOf(groups.remove(sales, unknown()))).toBe('group_member_not_found');
    expect(await codeOf(groups.remove(unknown(), inner))).toBe('group_not_found');
  });

  test('409: from a group of SCIM', async () => {
    const scim = await service.factory.group({ source: 'scim' }, [sales]);
    expect(await codeOf(groups.remove(scim, sales))).toBe('group_managed_elsewhere');
  });
});

describe('POST /api/groups/:id/members', () => {
  test('204: people and groups, an event for each that is new', async () => {
    const ben = await service.factory.user();
    const inner = await service.factory.group({}, [await service.factory.user()]);
    await groups.add(sales, ada);
    const users = [ada.id, ben.id.toUpperCase(), ben.id];
    expect((await groups.addAll(sales, { users, groups: [inner.id] })).status).toBe(204);
    expect(await groups.count(sales)).toBe(3);
    const added = (await eventsOf(service, sales)).slice(1);
    expect(added.map(({ details }) => details)).toEqual([
      { source: 'manual', member_type: 'user', member_id: ben.id },
      { source: 'manual', member_type: 'group', member_id: inner.id },
    ]);
  });

  test('204: nothing to add', async () => {
    expect((await groups.addAll(sales, {})).status).toBe(204);
    expect((await groups.addAll(sales, { users: [], groups: [] })).status).toBe(204);
    expect(await eventsOf(service, sales)).toEqual([]);
  });

  test('204: a thousand people at once', async () => {
    await service.database.query(
      `INSERT INTO users (id, email, name, role, status, attributes, created_at)
       SELECT gen_random_uuid(), 'thousand-' || n, 'Thousand', 'member', 'active', '{}', now()
       FROM generate_series(1, 1000) AS n`,
    );
    const rows = await service.database.query<{ id: string }[]>(
      `SELECT id FROM users WHERE name = 'Thousand'`,
    );
    expect((await groups.addAll(sales, { users: rows.map(({ id }) => id) })).status).toBe(204);
    expect(await groups.count(sales)).toBe(1000);
    expect(await eventsOf(service, sales)).toHaveLength(1000);
  });

  test('400: unknown ids are named, and nothing is added', async () => {
    const erased = await service.factory.user({ status: 'disabled', removedAt: new Date() });
    const body = { users: [ada.id, uuidv7(), erased.id], groups: [uuidv7()] };
    const response = await groups.addAll(sales, body);
    expect(response.status).toBe(400);
    const errors = response.body.errors as { pointer: string }[];
    expect(errors.map(({ pointer }) => pointer)).toEqual(['/users/1', '/users/2', '/groups/0']);
    expect(await groups.members(sales)).toEqual([]);
    expect(await eventsOf(service, sales)).toEqual([]);
  });

  test('400: not ids, too many, or unknown fields', async () => {
    const many = Array.from({ length: 1001 }, () => ada.id);
    for (const body of [
      { users: ['ada'] },
      { users: ada.id },
      { users: many },
      { groups: [5] },
      { people: [] },
    ])
      expect((await groups.addAll(sales, body)).status).toBe(400);
  });

  test('401, 403: admins only', () => expectAdminsOnly('POST', `/api/groups/${sales.id}/members`, {}));

  test('404: an unknown group', async () =>
    expect(await codeOf(groups.addAll(unknown(), { users: [ada.id] }))).toBe('group_not_found'));

  test('409: a group that cannot be added keeps out the others', async () => {
    const [inner, outer] = [await service.factory.group(), await service.factory.group()];
    await groups.add(outer, sales);
    const response = groups.addAll(sales, { users: [ada.id], groups: [inner.id, outer.id] });
    expect(await codeOf(response)).toBe('group_cycle');
    expect(await groups.members(sales)).toEqual([]);
    const scim = await service.factory.group({ source: 'scim' });
    expect(await codeOf(groups.addAll(scim, { users: [ada.id] }))).toBe('group_managed_elsewhere');
  });
});

test('every row follows from the edges', async () => {
  expect(await wrongRows(service)).toEqual([]);
});
