import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { User } from '../../src/users/user.entity.js';
import { type Service, startService } from '../support/service.js';
import { GroupClient, type GroupResource, groupSchema } from './group-client.js';
import { scimClient } from './scim-client.js';

let service: Service;
let groups: GroupClient;
let ada: User;
let ben: User;

beforeAll(async () => {
  service = await startService();
  groups = new GroupClient(await scimClient(service));
});
afterAll(() => service.close());
beforeEach(async () => {
  [ada, ben] = [await service.factory.user(), await service.factory.user()];
});

const refs = (...members: { id: string }[]): { value: string }[] => members.map(({ id }) => ({ value: id }));
const ids = (...members: { id: string }[]): string[] => members.map(({ id }) => id).toSorted();

async function create(given: object = {}): Promise<GroupResource> {
  const { status, body } = await groups.create({ displayName: `Group ${uuidv7()}`, ...given });
  expect(status).toBe(201);
  return body;
}

function expectError(
  { status, body }: { status: number; body: { schemas: string[]; status: string; detail: string } },
  expected: number,
  scimType?: string,
): void {
  expect({ status, body }).toMatchObject({
    status: expected,
    body: {
      schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
      status: String(expected),
      detail: expect.any(String),
      ...(scimType !== undefined && { scimType }),
    },
  });
}

describe('POST /scim/v2/Groups', () => {
  test('201: with the location, and members with their types', async () => {
    const inner = await create();
    const displayName = `Group ${uuidv7()}`;
    const members = refs(ada, inner);
    const { status, headers, body } = await groups.create({ displayName, externalId: displayName, members });
    const base = `${service.environment.PUBLIC_URL ?? service.url}/scim/v2`;
    expect(status).toBe(201);
    expect(headers.get('content-type')).toContain('application/scim+json');
    expect(headers.get('location')).toBe(`${base}/Groups/${body.id}`);
    expect(body).toEqual({
      schemas: [groupSchema],
      id: expect.any(String),
      externalId: displayName,
      displayName,
      members: expect.arrayContaining([
        { value: ada.id, type: 'User', $ref: `${base}/Users/${ada.id}` },
        { value: inner.id, type: 'Group', $ref: `${base}/Groups/${inner.id}` },
      ]),
      meta: {
        resourceType: 'Group',
        created: expect.any(String),
        lastModified: expect.any(String),
        location: `${base}/Groups/${body.id}`,
      },
    });
  });

  test('201: without members in the response', async () => {
    const group = { displayName: uuidv7(), members: refs(ada) };
    const { status, body } = await groups.create(group, '?excludedAttributes=members');
    expect(status).toBe(201);
    expect(body.members).toBeUndefined();
    expect(await groups.members(body)).toEqual([ada.id]);
  });

  test.each<[string, object, string]>([
    ['no name', { members: [] }, 'invalidValue'],
    ['an empty name', { displayName: '' }, 'invalidValue'],
    ['a name that is no string', { displayName: 5 }, 'invalidValue'],
    ['a member without an id', { displayName: 'x', members: [{ display: 'Ada' }] }, 'invalidValue'],
  ])('400: %s', async (_, body, scimType) => expectError(await groups.create(body), 400, scimType));

  test('400: an unknown member is named, and no group is created', async () => {
    const [displayName, unknown] = [uuidv7(), uuidv7()];
    const response = await groups.create({ displayName, members: refs(ada, { id: unknown }) });
    expectError(response, 400, 'invalidValue');
    expect(response.body.detail).toContain(unknown);
    expect((await groups.find(`displayName eq "${displayName}"`)).body.totalResults).toBe(0);
  });

  test('409: the name of another group in any case, also of a manual one', async () => {
    const scim = await create();
    const manual = await service.factory.group({ name: `Manual ${uuidv7()}` });
    for (const name of [scim.displayName, manual.name.toUpperCase()])
      expectError(await groups.create({ displayName: name }), 409, 'uniqueness');
  });

  test('409: the externalId of another group, which keeps it', async () => {
    const externalId = uuidv7();
    const group = await create({ externalId });
    expectError(await groups.create({ displayName: uuidv7(), externalId }), 409, 'uniqueness');
    expectError(await groups.create({ displayName: group.displayName }), 409, 'uniqueness');
    expect((await groups.get(group)).body.externalId).toBe(externalId);
  });
});

describe('GET /scim/v2/Groups', () => {
  test('200: only groups of SCIM, in pages', async () => {
    const created = [await create(), await create(), await create({ members: refs(ada) })];
    const manual = await service.factory.group();
    const { totalResults } = (await groups.list('?count=0')).body;
    expect(totalResults).toBeGreaterThanOrEqual(3);
    const found: string[] = [];
    for (let startIndex = 1; startIndex <= totalResults; startIndex += 2) {
      const { body } = await groups.list(`?startIndex=${startIndex}&count=2`);
      expect(body).toMatchObject({ totalResults, startIndex, itemsPerPage: body.Resources.length });
      found.push(...body.Resources.map(({ id }) => id));
    }
    expect(new Set(found).size).toBe(totalResults);
    expect(found).toEqual(expect.arrayContaining(created.map(({ id }) => id)));
    expect(found).not.toContain(manual.id);
    expect((await groups.list(`?startIndex=${totalResults + 5}`)).body.Resources).toEqual([]);
  });

  test('200: filters', async () => {
    const externalId = uuidv7();
    const inner = await create();
    const group = await create({ externalId, members: refs(ada, inner) });
    const other = await create({ members: refs(ben) });
    const cases: [string, string[]][] = [
      [`displayName eq "${group.displayName.toUpperCase()}"`, [group.id]],
      [`DISPLAYNAME EQ "${group.displayName}"`, [group.id]],
      [`externalId eq "${externalId}"`, [group.id]],
      [`externalId eq "${externalId.toUpperCase()}"`, []],
      [`members.value eq "${ada.id}"`, [group.id]],
      [`members[value eq "${inner.id}"]`, [group.id]],
      [`members eq "${ada.id}"`, [group.id]],
      [`id eq "${group.id}" and members eq "${ada.id}"`, [group.id]],
      [`id eq "${other.id}" and members eq "${ada.id}"`, []],
      [`displayName eq "${group.displayName}" or id eq "${other.id}"`, [group.id, other.id]],
      [`members.value eq "not an id"`, []],
      [`id eq "not an id"`, []],
      [`displayName eq "${uuidv7()}"`, []],
    ];
    for (const [filter, expected] of cases) {
      const { status, body } = await groups.find(filter);
      expect([filter, status, body.totalResults]).toEqual([filter, 200, expected.length]);
      expect(body.Resources.map(({ id }) => id)).toEqual(expected);
    }
  });

  test.each(['displayName eq', 'displayName xx "a"', 'nickName eq "a"', 'displayName'])(
    '400: the filter %s',
    async (filter) => expectError(await groups.find(filter), 400, 'invalidFilter'),
  );

  test('200: selected attributes', async () => {
    const group = await create({ externalId: uuidv7(), members: refs(ada) });
    const filter = `id eq "${group.id}"`;
    const read = async (query: string) =>
      Object.keys((await groups.find(filter, query)).body.Resources[0] ?? {}).toSorted();
    expect(await read('&excludedAttributes=members')).toEqual([
      'displayName',
      'externalId',
      'id',
      'meta',
      'schemas',
    ]);
    expect(await read('&attributes=displayName')).toEqual(['displayName', 'id', 'meta', 'schemas']);
    expect(await read('&attributes=members.value,meta')).toContain('members');
    expect(await read('')).toContain('members');
  });
});

describe('GET /scim/v2/Groups/:id', () => {
  test('200', async () => {
    const group = await create({ members: refs(ada) });
    expect((await groups.get(group)).body).toEqual(group);
    expect((await groups.get(group, '?excludedAttributes=members')).body).toEqual({
      ...group,
      members: undefined,
    });
  });

  test('404: an unknown group, a manual one, and no id', async () => {
    const manual = await service.factory.group();
    for (const id of [uuidv7(), manual.id, '010101001010101011001010101011'])
      expectError(await groups.get({ id }), 404);
  });
});

describe('PUT /scim/v2/Groups/:id', () => {
  test('200: replaces name and members, and keeps the link to the provider', async () => {
    const group = await create({ externalId: uuidv7(), members: refs(ada) });
    const displayName = uuidv7();
    const { status, body } = await groups.replace(group, { displayName, members: refs(ben) });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      id: group.id,
      displayName,
      externalId: group.externalId,
      members: refs(ben),
    });
  });

  test('200: without the attribute the members stay', async () => {
    const group = await create({ members: refs(ada) });
    expect((await groups.replace(group, { displayName: group.displayName })).body.members).toMatchObject(
      refs(ada),
    );
  });

  test('400: an unknown member changes nothing', async () => {
    const group = await create({ members: refs(ada) });
    const response = await groups.replace(group, {
      displayName: uuidv7(),
      members: refs(ben, { id: uuidv7() }),
    });
    expectError(response, 400, 'invalidValue');
    expect((await groups.get(group)).body).toEqual(group);
  });

  test('404, 409', async () => {
    const manual = await service.factory.group();
    expectError(await groups.replace(manual, { displayName: uuidv7() }), 404);
    const group = await create();
    expectError(await groups.replace(group, { displayName: manual.name }), 409, 'uniqueness');
  });
});

describe('PATCH /scim/v2/Groups/:id', () => {
  test('204, and 200 with the group if attributes are asked for', async () => {
    const group = await create();
    const add = [{ op: 'add', path: 'members', value: refs(ada) }];
    expect((await groups.patch(group, add)).status).toBe(204);
    const { status, body } = await groups.patch(group, add, '?attributes=members');
    expect([status, body.members?.map(({ value }) => value)]).toEqual([200, [ada.id]]);
    const { body: short } = await groups.patch(group, add, '?excludedAttributes=members');
    expect([short.id, short.members]).toEqual([group.id, undefined]);
  });

  test('all operations, or none', async () => {
    const group = await create({ members: refs(ada) });
    const response = await groups.patch(group, [
      { op: 'replace', path: 'displayName', value: uuidv7() },
      { op: 'remove', path: 'members' },
      { op: 'add', path: 'members', value: refs({ id: uuidv7() }) },
    ]);
    expectError(response, 400, 'invalidValue');
    expect((await groups.get(group)).body).toEqual(group);
  });

  test('ids of members ignore case', async () => {
    const group = await create();
    const upper = ada.id.toUpperCase();
    await groups.patch(group, [{ op: 'add', path: 'members', value: refs({ id: upper }) }]);
    expect(await groups.members(group)).toEqual([ada.id]);
    await groups.replace(group, { displayName: group.displayName, members: refs({ id: upper }, ben) });
    expect(await groups.members(group)).toEqual(ids(ada, ben));
    await groups.patch(group, [{ op: 'remove', path: `members[value eq "${upper}"]` }]);
    expect(await groups.members(group)).toEqual([ben.id]);
  });

  test('400: a cycle of groups', async () => {
    const inner = await create();
    const outer = await create({ members: refs(inner) });
    const response = await groups.patch(inner, [{ op: 'add', path: 'members', value: refs(outer) }]);
    expectError(response, 400, 'invalidValue');
    expect(response.body.detail).toContain(outer.displayName);
    expect(await groups.members(inner)).toEqual([]);
  });

  test.each<[string, unknown, string]>([
    ['no operations', [], 'invalidSyntax'],
    ['an unknown op', [{ op: 'move', path: 'members' }], 'invalidSyntax'],
    ['an unknown path', [{ op: 'add', path: 'nickName', value: 'x' }], 'invalidPath'],
    ['a path that is no path', [{ op: 'remove', path: 'members[' }], 'invalidPath'],
    ['another filter', [{ op: 'remove', path: 'members[display eq "Ada"]' }], 'invalidFilter'],
    ['remove without a path', [{ op: 'remove' }], 'noTarget'],
  ])('400: %s', async (_, operations, scimType) => {
    expectError(await groups.patch(await create(), operations), 400, scimType);
  });

  test('404', async () => {
    const remove = [{ op: 'remove', path: 'members' }];
    const manual = await service.factory.group({}, [ada]);
    for (const group of [manual, { id: uuidv7() }]) expectError(await groups.patch(group, remove), 404);
  });

  test('a person whom SCIM deleted is no member, cannot be added, and comes back with a new create', async () => {
    const remove = (id: string) => groups.api.delete(`/scim/v2/Users/${id}`);
    const revive = ({ email }: User) =>
      groups.api.post('/scim/v2/Users', { userName: email, emails: [{ value: email, type: 'work' }] });
    const [group, other] = [await create({ members: refs(ada, ben) }), await create({ members: refs(ben) })];
    expect((await remove(ada.id)).status).toBe(204);
    expect(await groups.members(group)).toEqual([ben.id]);
    const found = async () => (await groups.find(`members eq "${ada.id}"`)).body.totalResults;
    expect(await found()).toBe(0);
    const add = [{ op: 'add', path: 'members', value: refs(ada) }];
    const refused = await groups.patch(other, add);
    expectError(refused, 400, 'invalidValue');
    expect(refused.body.detail).toContain(ada.id);
    expect((await revive(ada)).status).toBe(201);
    expect(await groups.members(group)).toEqual(ids(ada, ben));
    // What the provider replaces while the person is deleted stays replaced.
    await remove(ada.id);
    await groups.replace(group, { displayName: group.displayName, members: refs(ben) });
    await revive(ada);
    expect(await groups.members(group)).toEqual([ben.id]);
    expect(await found()).toBe(0);
  });

  test('a person gains and loses what the group may see', async () => {
    const workspace = await service.factory.workspace();
    const group = await create();
    const admin = await service.asAdmin();
    await admin.put(`/api/workspaces/${workspace.id}/grants/groups/${group.id}`, { role: 'viewer' });
    const reader = await service.as(ada);
    const seen = async () =>
      (await reader.get<{ workspaces: object[] }>('/api/workspaces')).body.workspaces.length;
    expect(await seen()).toBe(0);
    await groups.patch(group, [{ op: 'add', path: 'members', value: refs(ada) }]);
    expect(await seen()).toBe(1);
    await groups.patch(group, [{ op: 'remove', path: `members[value eq "${ada.id}"]` }]);
    expect(await seen()).toBe(0);
  });
});

describe('DELETE /scim/v2/Groups/:id', () => {
  test('204 with its grants, then 404', async () => {
    const group = await create({ members: refs(ada) });
    expect((await groups.delete(group)).status).toBe(204);
    expectError(await groups.delete(group), 404);
    expectError(await groups.get(group), 404);
    expectError(await groups.patch(group, [{ op: 'remove', path: 'members' }]), 404);
    expect((await groups.find(`displayName eq "${group.displayName}"`)).body.totalResults).toBe(0);
  });

  test('404: a manual group stays', async () => {
    const manual = await service.factory.group({}, [ada]);
    expectError(await groups.delete(manual), 404);
    expect((await (await service.asAdmin()).get(`/api/groups/${manual.id}`)).body.member_count).toBe(1);
  });
});

describe('the API for groups of SCIM', () => {
  test('409: its members and its name are managed by the identity provider', async () => {
    const group = await create({ members: refs(ada) });
    const admin = await service.asAdmin();
    const path = `/api/groups/${group.id}`;
    const changes = [
      admin.put(`${path}/members/users/${ben.id}`),
      admin.delete(`${path}/members/users/${ada.id}`),
      admin.post(`${path}/members`, { users: [ben.id] }),
      admin.patch(path, { name: uuidv7() }),
      admin.delete(path),
    ];
    for (const { status, body } of await Promise.all(changes)) {
      expect([status, body.code]).toEqual([409, 'group_managed_elsewhere']);
      expect(body.detail).toContain('managed by your identity provider');
    }
    expect(await groups.members(group)).toEqual(ids(ada));
  });
});

test('403: a person, and a service account without the scope; 401: without a token', async () => {
  const group = await create();
  const admin = new GroupClient(await service.asAdmin());
  const anonymous = new GroupClient(service.api);
  for (const [client, status] of [
    [admin, 403],
    [anonymous, 401],
  ] as const) {
    const responses = [
      client.list(),
      client.get(group),
      client.create({ displayName: 'x' }),
      client.replace(group, { displayName: 'x' }),
      client.patch(group, []),
      client.delete(group),
    ];
    for (const response of await Promise.all(responses)) expectError(response, status);
  }
});
