// The requests that providers and their test suites send for groups, in our own words; docs/scim.md lists the defects of the suites.
import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { User } from '../../src/users/user.entity.js';
import { type Service, startService } from '../support/service.js';
import { wrongRows } from '../groups/group-api.js';
import { GroupClient, type GroupResource } from './group-client.js';
import { scimClient } from './scim-client.js';

let service: Service;
let groups: GroupClient;
let ada: User;
let ben: User;
let eve: User;
let group: GroupResource;

beforeAll(async () => {
  service = await startService();
  groups = new GroupClient(await scimClient(service));
});
afterAll(async () => {
  expect(await wrongRows(service)).toEqual([]);
  await service.close();
});
beforeEach(async () => {
  ada = await service.factory.user();
  ben = await service.factory.user();
  eve = await service.factory.user();
  const members = [{ value: ada.id }, { value: ben.id }];
  group = (await groups.create({ displayName: `Sales ${uuidv7()}`, externalId: uuidv7(), members })).body;
});

type People = Record<'ada' | 'ben' | 'eve', string>;
const people = (): People => ({ ada: ada.id, ben: ben.id, eve: eve.id });

interface Quirk {
  operations: (people: People) => object[];
  /** The names of the members afterwards. */
  members: (keyof People)[];
}

/** Each starts with Ada and Ben as members. */
const quirks: Record<string, Quirk> = {
  'Entra: Add with a capital letter': {
    operations: ({ eve }) => [{ op: 'Add', path: 'members', value: [{ value: eve }] }],
    members: ['ada', 'ben', 'eve'],
  },
  'Entra: Add of a member with $ref null': {
    operations: ({ eve }) => [{ op: 'Add', path: 'members', value: [{ $ref: null, value: eve }] }],
    members: ['ada', 'ben', 'eve'],
  },
  'Entra: Remove of members with a value array': {
    operations: ({ ada, ben }) => [
      { op: 'Remove', path: 'members', value: [{ $ref: null, value: ada }, { value: ben }] },
    ],
    members: [],
  },
  'Entra with its flag: remove with a filter': {
    operations: ({ ada }) => [{ op: 'remove', path: `members[value eq "${ada}"]` }],
    members: ['ben'],
  },
  'Entra: remove of a member that is none': {
    operations: ({ eve }) => [{ op: 'Remove', path: 'members', value: [{ value: eve }] }],
    members: ['ada', 'ben'],
  },
  'Entra: Add of a member twice': {
    operations: ({ ada }) => [{ op: 'Add', path: 'members', value: [{ value: ada }, { value: ada }] }],
    members: ['ada', 'ben'],
  },
  'Entra validator: operations with a name, members with displayName': {
    operations: ({ eve }) => [
      { name: 'addMember', op: 'add', path: 'members', value: [{ displayName: 'new User', value: eve }] },
    ],
    members: ['ada', 'ben', 'eve'],
  },
  'Entra validator: a member as a bare string': {
    operations: ({ eve }) => [{ op: 'add', path: 'members', value: eve }],
    members: ['ada', 'ben', 'eve'],
  },
  'Entra validator: members as bare strings': {
    operations: ({ ada, eve }) => [{ op: 'replace', path: 'members', value: [ada, eve] }],
    members: ['ada', 'eve'],
  },
  'Entra validator: remove of all members': {
    operations: () => [{ op: 'remove', path: 'members' }],
    members: [],
  },
  'Okta: several operations in one request': {
    operations: ({ ada, eve }) => [
      { op: 'remove', path: `members[value eq "${ada}"]` },
      { op: 'add', path: 'members', value: [{ value: eve, display: 'eve@example.com' }] },
    ],
    members: ['ben', 'eve'],
  },
  'Okta: replace of all members': {
    operations: ({ eve }) => [{ op: 'replace', path: 'members', value: [{ value: eve, display: 'Eve' }] }],
    members: ['eve'],
  },
  'Okta: members without a type': {
    operations: ({ eve }) => [{ op: 'add', value: { members: [{ value: eve }] } }],
    members: ['ada', 'ben', 'eve'],
  },
  'replace of members with null': {
    operations: () => [{ op: 'replace', path: 'members', value: null }],
    members: [],
  },
  'replace of members with an empty array': {
    operations: () => [{ op: 'replace', path: 'members', value: [] }],
    members: [],
  },
  'remove of members with an empty array removes no one': {
    operations: () => [{ op: 'remove', path: 'members', value: [] }],
    members: ['ada', 'ben'],
  },
  'RFC 7644: add of a member with $ref and display': {
    operations: ({ eve }) => [
      {
        op: 'add',
        path: 'members',
        value: [{ display: 'Eve', $ref: `https://example.com/v2/Users/${eve}`, value: eve }],
      },
    ],
    members: ['ada', 'ben', 'eve'],
  },
  'RFC 7644: remove one, add one': {
    operations: ({ ada, eve }) => [
      { op: 'remove', path: `members[value eq "${ada}"]` },
      { op: 'add', path: 'members', value: [{ value: eve }] },
    ],
    members: ['ben', 'eve'],
  },
  'a path with the schema': {
    operations: ({ eve }) => [
      { op: 'add', path: 'urn:ietf:params:scim:schemas:core:2.0:Group:members', value: [{ value: eve }] },
    ],
    members: ['ada', 'ben', 'eve'],
  },
  'a type that is wrong': {
    operations: ({ eve }) => [{ op: 'add', path: 'members', value: [{ value: eve, type: 'Group' }] }],
    members: ['ada', 'ben', 'eve'],
  },
};

describe('PATCH of members', () => {
  test.each(Object.entries(quirks))('%s', async (_, { operations, members }) => {
    expect((await groups.patch(group, operations(people()))).status).toBe(204);
    const expected = members.map((name) => people()[name]).toSorted();
    expect(await groups.members(group)).toEqual(expected);
  });
});

/** The group afterwards has these attributes. */
const renames: Record<string, [object, Partial<GroupResource>]> = {
  'Okta: replace without a path, with the id': [
    { op: 'replace', value: { id: 'x', displayName: 'Okta name' } },
    { displayName: 'Okta name' },
  ],
  'Entra: Replace of displayName': [
    { op: 'Replace', path: 'displayName', value: 'Entra name' },
    { displayName: 'Entra name' },
  ],
  'Entra with its flag: replace without a path': [
    { op: 'replace', value: { displayName: 'Flag name', externalId: 'flag-id' } },
    { displayName: 'Flag name', externalId: 'flag-id' },
  ],
  'Entra: Add of externalId': [
    { op: 'Add', path: 'externalId', value: 'entra-id' },
    { externalId: 'entra-id' },
  ],
  'Entra: single values as arrays of one': [
    {
      op: 'Replace',
      value: { displayName: ['Array name'], externalId: [{ $ref: null, value: 'array-id' }] },
    },
    { displayName: 'Array name', externalId: 'array-id' },
  ],
  'remove of externalId': [{ op: 'remove', path: 'externalId' }, { externalId: undefined }],
};

describe('PATCH of a group', () => {
  test.each(Object.entries(renames))('%s', async (_, [operation, expected]) => {
    expect((await groups.patch(group, [operation])).status).toBe(204);
    const { body } = await groups.get(group);
    for (const [name, value] of Object.entries(expected))
      expect(body[name as keyof GroupResource]).toEqual(value);
    expect(await groups.members(group)).toEqual([ada.id, ben.id].toSorted());
    await groups.delete(group);
  });

  test('Okta: only the letter case of the name changes', async () => {
    const displayName = group.displayName.toUpperCase();
    expect((await groups.patch(group, [{ op: 'replace', value: { displayName } }])).status).toBe(204);
    expect((await groups.get(group)).body.displayName).toBe(displayName);
  });
});

describe('Entra: a cycle of provisioning', () => {
  test('match by name without members, create, read, change, delete', async () => {
    const [displayName, externalId] = [`Design ${uuidv7()}`, uuidv7()];
    const match = () => groups.find(`displayName eq "${displayName}"`, '&excludedAttributes=members');
    expect((await match()).body).toMatchObject({ totalResults: 0, Resources: [] });
    const { status, body: created } = await groups.create({ displayName, externalId, members: [] });
    expect([status, created.members ?? []]).toEqual([201, []]);
    expect((await match()).body.Resources).toMatchObject([{ id: created.id, externalId }]);
    const { body: read } = await groups.get(created, '?excludedAttributes=members');
    expect(read).toMatchObject({ id: created.id, displayName });
    const add = [{ op: 'Add', path: 'members', value: [{ value: ada.id }] }];
    expect((await groups.patch(created, add)).status).toBe(204);
    const reference = `id eq "${created.id}" and members eq "${ada.id}"`;
    expect((await groups.find(reference, '&attributes=id')).body.totalResults).toBe(1);
    expect((await groups.delete(created)).status).toBe(204);
    expect((await groups.get(created)).status).toBe(404);
  });

  test('a repeated create is a conflict and changes nothing', async () => {
    const { displayName, externalId } = group;
    const repeated = await groups.create({ displayName, externalId, members: [] });
    expect([repeated.status, repeated.body.scimType]).toEqual([409, 'uniqueness']);
    expect((await groups.get(group)).body).toEqual(group);
  });

  test('a manual group with the name is not taken over', async () => {
    const manual = await service.factory.group({}, [ada]);
    expect((await groups.find(`displayName eq "${manual.name}"`)).body.totalResults).toBe(0);
    const { status, body } = await groups.create({ displayName: manual.name, externalId: uuidv7() });
    expect([status, body.scimType]).toEqual([409, 'uniqueness']);
  });

  test('a group in a group', async () => {
    const outer = (await groups.create({ displayName: uuidv7() })).body;
    const add = [{ op: 'Add', path: 'members', value: [{ value: group.id }] }];
    expect((await groups.patch(outer, add)).status).toBe(204);
    expect((await groups.get(outer)).body.members).toMatchObject([{ value: group.id, type: 'Group' }]);
    const admin = await service.asAdmin();
    expect((await admin.get(`/api/groups/${outer.id}`)).body.member_count).toBe(2);
  });
});

describe('Okta: Push Groups', () => {
  test('search by name, create with members, PUT with the whole list, rename, delete', async () => {
    const displayName = `Okta ${uuidv7()}`;
    const search = `displayName eq "${displayName}"`;
    expect((await groups.find(search, '&startIndex=1&count=100')).body.totalResults).toBe(0);
    const { body: created } = await groups.create({
      displayName,
      members: [{ value: ada.id, display: 'Ada' }],
    });
    const put = {
      displayName,
      members: [
        { value: ben.id, display: 'Ben' },
        { value: eve.id, display: 'Eve' },
      ],
    };
    expect((await groups.replace(created, put)).status).toBe(200);
    expect(await groups.members(created)).toEqual([ben.id, eve.id].toSorted());
    expect((await groups.replace(created, { displayName, members: [] })).status).toBe(200);
    expect(await groups.members(created)).toEqual([]);
    expect((await groups.delete(created)).status).toBe(204);
  });

  test('a linked group that was deleted is a 404 for PUT and PATCH', async () => {
    await groups.delete(group);
    const put = await groups.replace(group, { displayName: group.displayName, members: [] });
    const patch = await groups.patch(group, [{ op: 'add', path: 'members', value: [{ value: ada.id }] }]);
    expect([put.status, patch.status]).toEqual([404, 404]);
    expect((await groups.create({ displayName: group.displayName })).status).toBe(201);
  });

  test('a group with the name in another letter case is a 409', async () => {
    const { status, body } = await groups.create({ displayName: group.displayName.toLowerCase() });
    expect([status, body.scimType]).toEqual([409, 'uniqueness']);
  });
});

describe('the validators', () => {
  test('an empty and a filled group, both in the list', async () => {
    const empty = (await groups.create({ displayName: uuidv7(), externalId: uuidv7(), members: [] })).body;
    const filled = { displayName: uuidv7(), members: [{ value: ada.id, display: 'VP' }] };
    const { body } = await groups.create(filled);
    const listed = (await groups.list('?count=1000')).body.Resources.map(({ id }) => id);
    expect(listed).toEqual(expect.arrayContaining([empty.id, body.id]));
  });

  test('a replaced group contains its new members', async () => {
    const members = [
      { value: ada.id, display: 'VP' },
      { value: eve.id, display: 'SeniorVP' },
    ];
    await groups.replace(group, { displayName: `put ${uuidv7()}`, members });
    expect(await groups.members(group)).toEqual([ada.id, eve.id].toSorted());
  });

  test('a member that does not exist is a 400 that names it', async () => {
    const unknown = uuidv7();
    for (const value of [unknown, [unknown], [{ value: unknown }], [{ value: 'not-an-id' }]]) {
      const { status, body } = await groups.patch(group, [{ op: 'add', path: 'members', value }]);
      expect([status, body.scimType]).toEqual([400, 'invalidValue']);
    }
    expect(await groups.members(group)).toEqual([ada.id, ben.id].toSorted());
  });
});

test('SCIM does not make or lose an admin through a group', async () => {
  const admin = await service.factory.admin();
  const client = await service.as(admin);
  await groups.patch(group, [{ op: 'add', path: 'members', value: [{ value: admin.id }] }]);
  await groups.delete(group);
  expect((await client.get('/api/groups')).status).toBe(200);
  const reader = await service.as(ada);
  expect((await reader.get('/api/groups')).status).toBe(403);
});
