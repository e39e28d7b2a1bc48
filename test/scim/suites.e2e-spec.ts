// The cases of Microsoft's and Okta's suites that no other file has, in our own words; suites.md lists all of them.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { ApiResponse } from '../support/client.js';
import { GroupClient } from './group-client.js';
import {
  ENTERPRISE,
  type ListBody,
  newPerson,
  patchOf,
  type ScimService,
  type ScimUserBody,
  startScim,
} from './scim-service.js';

const LIST = 'urn:ietf:params:scim:api:messages:2.0:ListResponse';
const ERROR = 'urn:ietf:params:scim:api:messages:2.0:Error';
const USER = 'urn:ietf:params:scim:schemas:core:2.0:User';
const GROUP = 'urn:ietf:params:scim:schemas:core:2.0:Group';

let running: ScimService;
let groups: GroupClient;

beforeAll(async () => {
  running = await startScim();
  groups = new GroupClient(running.scim);
});
afterAll(() => running.service.close());

const create = async (given: object = {}): Promise<ScimUserBody> => {
  const { status, body } = await running.scim.post<ScimUserBody>('/scim/v2/Users', newPerson(given));
  expect(status).toBe(201);
  return body;
};
const read = async ({ id }: { id: string }): Promise<ScimUserBody> =>
  (await running.scim.get<ScimUserBody>(`/scim/v2/Users/${id}`)).body;
const put = ({ id }: { id: string }, given: object): Promise<ApiResponse<ScimUserBody>> =>
  running.scim.put(`/scim/v2/Users/${id}`, { ...newPerson(given), id });
const list = async (query: string): Promise<ScimUserBody[]> => {
  const response = await running.scim.get<ListBody<ScimUserBody>>(`/scim/v2/Users${query}`);
  expect(response.status).toBe(200);
  return response.body.Resources;
};

// First, as long as there is no group.
test('a list without groups has an empty array', async () => {
  const { status, body } = await groups.list();
  expect(status).toBe(200);
  const empty = { schemas: [LIST], totalResults: 0, startIndex: 1, itemsPerPage: 0, Resources: [] };
  expect(body).toEqual(empty);
});

describe('discovery', () => {
  test('the resource types name their endpoints, people first', async () => {
    const { body } = await running.scim.get<ListBody<{ endpoint: string }>>('/scim/v2/ResourceTypes');
    expect(body.Resources.map(({ endpoint }) => endpoint)).toEqual(['/Users', '/Groups']);
  });

  test('the list of schemas has people, their extension and groups, with attributes', async () => {
    const { body } =
      await running.scim.get<ListBody<{ id: string; attributes: object[] }>>('/scim/v2/Schemas');
    expect(body.Resources.map(({ id }) => id)).toEqual([USER, ENTERPRISE, GROUP]);
    for (const { attributes } of body.Resources) expect(attributes).not.toEqual([]);
  });

  test.each(['/users', '/Users/', '/groups', '/Groups/'])('the path %s is found', async (path) => {
    const { status, body } = await running.scim.get(`/scim/v2${path}`);
    expect(status).toBe(200);
    expect(body.schemas).toEqual([LIST]);
  });
});

describe('a person', () => {
  test.each([true, 'True'])('created with active %j and attributes that are not stored', async (active) => {
    const userName = `full-${typeof active}`;
    const work = { value: `${userName}@example.com`, type: 'work', primary: true };
    const name = { givenName: 'Grace', familyName: 'Hopper' };
    const person = await create({
      userName,
      active,
      emails: [{ value: `${userName}@example.org`, type: 'other', primary: false }, work],
      name: { ...name, honorificPrefix: null, honorificSuffix: null },
      addresses: [{ type: 'work', country: 'Portugal', locality: null, primary: false }],
      phoneNumbers: [{ type: 'fax', value: '+351 1' }],
      preferredLanguage: 'pt',
      roles: [],
      meta: { resourceType: 'User', created: '2001-02-03T04:05:06.7891234+00:00' },
    });
    expect(person).toMatchObject({ userName, active: true, name, emails: [work] });
    expect(JSON.stringify(person)).not.toMatch(/Portugal|\+351|2001-02-03|roles|preferredLanguage/);
    expect(await read(person)).toEqual(person);
  });

  test.each([
    ['userName', ({ userName }: ScimUserBody) => ({ userName })],
    ['address', ({ emails }: ScimUserBody) => ({ emails })],
  ])('409 with a detail, each time, for the %s of another person', async (_, same) => {
    const given = same(await create());
    for (let attempt = 0; attempt < 2; attempt += 1) {
      const response = await running.scim.post('/scim/v2/Users', newPerson(given));
      const body = { schemas: [ERROR], scimType: 'uniqueness', detail: expect.stringMatching(/./) };
      expect(response).toMatchObject({ status: 409, body });
    }
  });

  test.each(['replace', 'Replace'])('PATCH: %s of userName, then of active', async (op) => {
    const person = await create();
    const path = `/scim/v2/Users/${person.id}`;
    const userName = op === 'Replace' ? 'renamed-capital' : 'renamed';
    const renamed = await running.scim.patch(path, patchOf({ op, path: 'userName', value: userName }));
    const disabled = await running.scim.patch(path, patchOf({ op, path: 'active', value: false }));
    expect([renamed.status, disabled.status]).toEqual([200, 200]);
    expect(disabled.body).toMatchObject({ id: person.id, userName, active: false, emails: person.emails });
    expect(await read(person)).toEqual(disabled.body);
  });

  test('PUT replaces userName, names, address, externalId and active', async () => {
    const person = await create();
    const work = { value: 'replaced@example.com', type: 'work', primary: true };
    const emails = [{ value: 'replaced@example.org', type: 'home', primary: false }, work];
    const given = {
      userName: 'replaced',
      externalId: 'replaced-id',
      displayName: 'Grace Hopper',
      name: { formatted: 'Grace Hopper', givenName: 'Grace', familyName: 'Hopper' },
      active: false,
    };
    const { status, body } = await put(person, { ...given, emails });
    expect(status).toBe(200);
    expect(body).toMatchObject({ ...given, id: person.id, emails: [work] });
    expect(await read(person)).toEqual(body);
  });

  test.each([
    ['both', { displayName: 'Shown', name: { formatted: 'Formal' } }, 'Shown'],
    ['name.formatted only', { displayName: undefined, name: { formatted: 'Formal' } }, 'Formal'],
  ])('has one name; PUT with %s', async (_, given, expected) => {
    const person = await create();
    const { body } = await put(person, { userName: person.userName, ...given });
    expect([body.displayName, body.name.formatted]).toEqual([expected, expected]);
  });

  test.each([
    ['without userName', { userName: undefined }],
    ['with a misspelled userName', { userName: undefined, userame: 'x' }],
  ])('PUT %s is a 400 and changes nothing', async (_, given) => {
    const person = await create();
    const response = await put(person, { ...given, active: false, displayName: 'Changed' });
    expect(response).toMatchObject({ status: 400, body: { schemas: [ERROR], scimType: 'invalidValue' } });
    expect(await read(person)).toEqual(person);
  });

  test.each(['addresses', 'adreses'])('PUT with %s succeeds and does not return them', async (name) => {
    const person = await create();
    const given = { userName: person.userName, active: false, [name]: [{ type: 'work', country: 'Peru' }] };
    const { status, body } = await put(person, given);
    expect([status, body.active]).toEqual([200, false]);
    expect(JSON.stringify(body)).not.toMatch(/Peru|addresses|adreses/i);
  });
});

describe('a list of people', () => {
  beforeAll(async () => {
    for (const value of ['qone@suite.example.com', 'qtwo@suite.example.org', 'zthree@suite.example.net']) {
      const [userName = ''] = value.split('@');
      const name = { givenName: userName, familyName: 'Suite' };
      await create({ userName, name, displayName: `Suite ${userName}`, emails: [{ value, primary: true }] });
    }
  });

  const inSuite = 'name.FamilyName eq "Suite"';
  test.each([
    [
      `${inSuite} and (emails.Value co "suite.example.com" or emails.Value co "suite.example.org")`,
      ['qone', 'qtwo'],
    ],
    ['userName sw "Q"', ['qone', 'qtwo']],
    [`${inSuite} and meta.Created gt "2015-10-10T14:38:21.8617979-07:00"`, ['qone', 'qtwo', 'zthree']],
  ])('filter %s', async (filter, expected) => {
    const found = await list(`?filter=${encodeURIComponent(filter)}`);
    expect(found.map(({ userName }) => userName)).toEqual(expected);
  });

  test('a filter with + for blanks, after a slash', async () => {
    const found = await list('/?filter=DisplayName+eq+%22Suite+qone%22');
    expect(found.map(({ userName }) => userName)).toEqual(['qone']);
  });

  test.each([
    'userName sw Q',
    'name.FamilyName eq Suite and (emails.Value co example.com or emails.Value co example.org)',
    'meta.Created gt 2015-10-10T14:38:21.8617979-07:00',
  ])('400 for a value without quotation marks: %s', async (filter) => {
    const response = await running.scim.get(`/scim/v2/Users?filter=${encodeURIComponent(filter)}`);
    expect(response).toMatchObject({ status: 400, body: { scimType: 'invalidFilter' } });
  });

  test.each([
    ['userName,emails', ['emails', 'id', 'meta', 'schemas', 'userName']],
    ['userName', ['id', 'meta', 'schemas', 'userName']],
    ['emails%5Btype+eq+%22work%22%5D', ['emails', 'id', 'meta', 'schemas']],
    ['emails%5Bvalue+eq+%22qone@suite.example.com%22%5D', ['emails', 'id', 'meta', 'schemas']],
  ])('attributes=%s selects in every resource', async (attributes, expected) => {
    const found = await list(`?attributes=${attributes}`);
    expect(found.length).toBeGreaterThanOrEqual(3);
    for (const each of found) expect(Object.keys(each).toSorted()).toEqual(expected);
  });
});

describe('a group', () => {
  test('a member is added, removed and added again, then all are removed', async () => {
    const { id: value } = await create();
    const { body: group } = await groups.create({ displayName: 'Suite members', members: [] });
    const add = { name: 'addMember', op: 'add', path: 'members', value: [{ displayName: 'Ada', value }] };
    for (const [operation, expected] of [
      [add, [value]],
      [{ op: 'remove', path: `members[value eq "${value}"]` }, []],
      [add, [value]],
      [{ op: 'remove', path: 'members' }, []],
    ] as const) {
      const body = { ...patchOf(operation), id: group.id };
      expect((await running.scim.patch(`/scim/v2/Groups/${group.id}`, body)).status).toBe(204);
      expect(await groups.members(group)).toEqual(expected);
    }
  });

  test('PUT without members changes name and externalId only', async () => {
    const { id } = await create();
    const { body: group } = await groups.create({ displayName: 'Suite put', members: [{ value: id }] });
    const given = { displayName: 'Suite new', externalId: 'suite-id' };
    const { status, body } = await groups.replace(group, given);
    expect(status).toBe(200);
    expect(body).toMatchObject({ ...given, id: group.id, members: [{ value: id }] });
  });

  test('its members can be deleted before it', async () => {
    const person = await create();
    const members = [{ value: person.id, display: 'VP' }];
    const { body: group } = await groups.create({ displayName: 'Suite end', members });
    expect((await running.scim.delete(`/scim/v2/Users/${person.id}`)).status).toBe(204);
    expect((await groups.delete(group)).status).toBe(204);
    expect((await groups.get(group)).status).toBe(404);
  });
});

describe('Okta, with its headers', () => {
  const headers = {
    'accept-charset': 'utf-8',
    'content-type': 'application/scim+json; charset=utf-8',
    accept: 'application/scim+json',
    'user-agent': 'OKTA SCIM Integration',
  };

  test('the first person of a page has all that it reads, also by id', async () => {
    const name = { givenName: 'Ada', familyName: 'Lovelace' };
    const change = patchOf({ op: 'replace', value: { name } });
    expect((await running.scim.patch(`/scim/v2/Users/${running.adminId}`, change)).status).toBe(200);
    const path = '/scim/v2/Users?count=1&startIndex=1';
    const { status, body } = await running.scim.get<ListBody<ScimUserBody>>(path, headers);
    expect(status).toBe(200);
    const totalResults = expect.any(Number);
    expect(body).toMatchObject({ schemas: [LIST], totalResults, itemsPerPage: 1, startIndex: 1 });
    const [first] = body.Resources;
    const emails = [{ value: expect.stringContaining('@') }];
    expect(first).toMatchObject({ id: running.adminId, name, active: true, emails });
    expect(first?.userName).not.toBe('');
    expect((await running.scim.get(`/scim/v2/Users/${running.adminId}`, headers)).body).toEqual(first);
  });
});
