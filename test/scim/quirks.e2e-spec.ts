import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import {
  ENTERPRISE,
  type ListBody,
  newPerson,
  patchOf,
  type ScimService,
  type ScimUserBody,
  startScim,
} from './scim-service.js';

let running: ScimService;
let ada: ScimUserBody;

beforeAll(async () => {
  running = await startScim();
});
afterAll(() => running.service.close());
beforeEach(async () => {
  ada = (await running.scim.post<ScimUserBody>('/scim/v2/Users', newPerson())).body;
});

const patch = async (...operations: object[]): Promise<ScimUserBody> => {
  const path = `/scim/v2/Users/${ada.id}`;
  const { status, body } = await running.scim.patch<ScimUserBody>(path, patchOf(...operations));
  expect(status).toBe(200);
  expect((await running.scim.get(path)).body).toEqual(body);
  return body;
};

describe('a path of a million characters', () => {
  test.each([
    ['of a person', () => `/scim/v2/Users/${ada.id}`, '['.repeat(1_000_000)],
    ['of a group', () => `/scim/v2/Groups/${randomUUID()}`, `members[${' '.repeat(1_000_000)}]`],
  ])('%s delays no other request', async (_, address, path) => {
    const response = await running.scim.patch(address(), patchOf({ op: 'add', path, value: 'x' }));
    expect(response.status).toBeLessThan(500);
    expect((await running.scim.get(`/scim/v2/Users/${ada.id}`)).status).toBe(200);
  });
});

describe('Microsoft Entra ID', () => {
  test('PascalCase operations', async () => {
    const changed = await patch(
      { op: 'Replace', path: 'displayName', value: 'Grace' },
      { op: 'Add', path: 'title', value: 'Admiral' },
    );
    expect(changed).toMatchObject({ displayName: 'Grace', title: 'Admiral' });
    expect(await patch({ op: 'Remove', path: 'title' })).not.toHaveProperty('title');
  });

  test('booleans as strings', async () => {
    expect((await patch({ op: 'Replace', path: 'active', value: 'False' })).active).toBe(false);
    expect((await patch({ op: 'Replace', path: 'active', value: 'True' })).active).toBe(true);
    expect((await patch({ op: 'replace', value: { active: 'False' } })).active).toBe(false);
  });

  test('replace without a path, with dotted keys and schema prefixes', async () => {
    const changed = await patch({
      op: 'replace',
      value: {
        'name.givenName': 'Grace',
        'name.familyName': 'Hopper',
        displayName: 'Grace Hopper',
        [`${ENTERPRISE}:department`]: 'Navy',
      },
    });
    expect(changed.name).toEqual({ formatted: 'Grace Hopper', givenName: 'Grace', familyName: 'Hopper' });
    expect(changed[ENTERPRISE]?.department).toBe('Navy');
  });

  test('paths with the prefix of a schema', async () => {
    const changed = await patch(
      { op: 'replace', path: `${ENTERPRISE}:department`, value: 'Navy' },
      { op: 'replace', path: 'urn:ietf:params:scim:schemas:core:2.0:User:title', value: 'Admiral' },
      { op: 'add', path: `${ENTERPRISE}:manager`, value: { value: 'manager-1' } },
    );
    expect(changed.title).toBe('Admiral');
    expect(changed[ENTERPRISE]).toMatchObject({ department: 'Navy', manager: { value: 'manager-1' } });
  });

  test('the enterprise extension as one object', async () => {
    const changed = await patch({ op: 'Add', value: { [ENTERPRISE]: { costCenter: 42, manager: 'm-2' } } });
    expect(changed[ENTERPRISE]).toEqual({ department: 'Sales', costCenter: '42', manager: { value: 'm-2' } });
    const removed = await patch({ op: 'Remove', path: ENTERPRISE });
    expect(removed).not.toHaveProperty(ENTERPRISE);
  });

  test('emails[type eq "work"].value', async () => {
    const value = `${randomUUID()}@example.com`;
    const changed = await patch({ op: 'Replace', path: 'emails[type eq "work"].value', value });
    expect(changed.emails).toEqual([{ value, type: 'work', primary: true }]);
    const other = await patch({
      op: 'Replace',
      path: 'emails[type eq "home"].value',
      value: 'home@example.com',
    });
    expect(other.emails[0]?.value).toBe(value);
  });

  test('attributes of attributes in capital letters, as its reference collection sends them', async () => {
    const { status, body } = await running.scim.post<ScimUserBody>(
      '/scim/v2/Users',
      newPerson({
        emails: [
          { Primary: false, Type: 'home', Value: 'home-capital@example.com' },
          { Primary: true, Type: 'work', Value: 'work-capital@example.com' },
        ],
        [ENTERPRISE]: { Department: 'bob', Manager: { Value: 'SuzzyQ' } },
      }),
    );
    expect(status).toBe(201);
    expect(body.emails).toEqual([{ value: 'work-capital@example.com', type: 'work', primary: true }]);
    expect(body[ENTERPRISE]).toEqual({ department: 'bob', manager: { value: 'SuzzyQ' } });
  });

  test('single values as arrays of one', async () => {
    const changed = await patch(
      { op: 'Add', path: 'manager', value: [{ $ref: 'http://example.com/Users/2819', value: '2819' }] },
      { op: 'Replace', path: 'displayName', value: ['Grace'] },
      { op: 'Replace', path: 'title', value: [{ $ref: null, value: 'Admiral' }] },
      { op: 'Replace', path: 'externalId', value: [{ value: 'entra-array' }] },
      { op: 'Replace', path: 'active', value: [{ value: 'False' }] },
    );
    expect(changed).toMatchObject({
      displayName: 'Grace',
      title: 'Admiral',
      externalId: 'entra-array',
      active: false,
      [ENTERPRISE]: { manager: { value: '2819' } },
    });
    const { name } = await patch({
      op: 'Add',
      path: 'name',
      value: [{ givenName: 'Grace', familyName: ['H'] }],
    });
    expect(name).toMatchObject({ givenName: 'Grace', familyName: 'H' });
    expect(await patch({ op: 'Add', path: 'active', value: [true] })).toMatchObject({ active: true });
  });

  test.each([
    ['title', ['Admiral', 'Captain']],
    ['displayName', []],
    ['active', [true, false]],
  ])('%s with an array of another length is an error: %j', async (path, value) => {
    const change = patchOf({ op: 'Replace', path, value });
    const { status, body } = await running.scim.patch(`/scim/v2/Users/${ada.id}`, change);
    expect({ status, scimType: body.scimType }).toEqual({ status: 400, scimType: 'invalidValue' });
  });

  test('the test of the connection filters for a random user and expects an empty list', async () => {
    const filter = encodeURIComponent(`userName eq "${randomUUID()}"`);
    const { status, body } = await running.scim.get<ListBody<unknown>>(`/scim/v2/Users?filter=${filter}`);
    expect(status).toBe(200);
    expect(body).toMatchObject({ totalResults: 0, Resources: [] });
  });

  test('roles of types that no schema names, phone numbers and addresses are ignored', async () => {
    const changed = await patch(
      { op: 'Add', path: 'roles', value: [{ value: 'admin', type: 'WindowsAzureActiveDirectoryRole' }] },
      { op: 'Add', path: 'phoneNumbers[type eq "mobile"].value', value: '+49 1' },
      { op: 'Replace', path: 'addresses[type eq "work"].country', value: 'DE' },
    );
    expect(changed).not.toHaveProperty('roles');
    expect((await running.admin.get(`/api/users/${ada.id}`)).body.role).toBe('member');
  });

  test('an unknown path is an error, without a partial change', async () => {
    const { status, body } = await running.scim.patch(
      `/scim/v2/Users/${ada.id}`,
      patchOf(
        { op: 'Replace', path: 'displayName', value: 'New' },
        { op: 'Add', path: 'favouriteColor', value: 'x' },
      ),
    );
    expect(status).toBe(400);
    expect(body.scimType).toBe('invalidPath');
    const after = await running.scim.get<ScimUserBody>(`/scim/v2/Users/${ada.id}`);
    expect(after.body.displayName).toBe(ada.displayName);
  });
});

describe('Okta', () => {
  const put = (given: object) =>
    running.scim.put<ScimUserBody>(
      `/scim/v2/Users/${ada.id}`,
      newPerson({ userName: ada.userName, ...given }),
    );

  test('deactivates by PUT with active false and reactivates, and never deletes', async () => {
    expect((await put({ active: false })).body.active).toBe(false);
    const filter = encodeURIComponent(`userName eq "${ada.userName}"`);
    const found = await running.scim.get<ListBody<ScimUserBody>>(`/scim/v2/Users?filter=${filter}`);
    expect(found.body.Resources[0]).toMatchObject({ id: ada.id, active: false });
    expect((await put({ active: true })).body.active).toBe(true);
  });

  test('the steps of its SPEC test', async () => {
    const { scim, service } = running;
    const first = await scim.get<ListBody<ScimUserBody>>('/scim/v2/Users?count=1&startIndex=1');
    expect(first.body).toMatchObject({
      schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
      itemsPerPage: 1,
      startIndex: 1,
    });
    const body = {
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
      userName: 'spec-test@example.com',
      name: { givenName: 'Spec', familyName: 'Test' },
      emails: [{ primary: true, value: 'spec-test@example.com', type: 'work' }],
      displayName: 'Spec Test',
      active: true,
    };
    const created = await scim.post<ScimUserBody>('/scim/v2/Users', body);
    expect(created.status).toBe(201);
    expect((await scim.get(`/scim/v2/Users/${created.body.id}`)).body).toMatchObject(body);
    expect((await scim.post('/scim/v2/Users', body)).status).toBe(409);
    const filter = encodeURIComponent('userName eq "SPEC-TEST@EXAMPLE.COM"');
    expect((await scim.get(`/scim/v2/Users?filter=${filter}`)).body.totalResults).toBe(1);
    expect((await scim.get('/scim/v2/Groups')).status).toBe(200);
    const error = 'urn:ietf:params:scim:api:messages:2.0:Error';
    const unknown = await scim.get('/scim/v2/Users/00919288221112222');
    expect(unknown.body).toMatchObject({ schemas: [error], status: '404', detail: expect.any(String) });
    const anyone = await service.api.get('/scim/v2/Users', { authorization: 'non-token' });
    expect(anyone.body).toMatchObject({ schemas: [error], status: '401', detail: expect.any(String) });
  });

  test('deactivates by PATCH without a path', async () => {
    expect((await patch({ op: 'replace', value: { active: false } })).active).toBe(false);
  });

  test('PUT removes what it does not contain, except the id of the provider', async () => {
    const { body } = await put({ [ENTERPRISE]: undefined, externalId: undefined, name: undefined });
    expect(body).not.toHaveProperty(ENTERPRISE);
    expect(body.name.givenName).toBeUndefined();
    expect(body.externalId).toBe(ada.externalId);
  });

  test('a duplicate is a 409, also with a userName in another case', async () => {
    const response = await running.scim.post(
      '/scim/v2/Users',
      newPerson({ userName: ada.userName.toUpperCase() }),
    );
    expect(response.status).toBe(409);
  });

  test('finds a userName in any case', async () => {
    const filter = encodeURIComponent(`userName eq "${ada.userName.toUpperCase()}"`);
    const { body } = await running.scim.get<ListBody<ScimUserBody>>(`/scim/v2/Users?filter=${filter}`);
    expect(body.Resources.map(({ id }) => id)).toEqual([ada.id]);
  });

  test('the name follows given and family name', async () => {
    const changed = await patch(
      { op: 'replace', path: 'displayName', value: '' },
      { op: 'replace', path: 'name', value: { givenName: 'Grace', familyName: 'Hopper' } },
    );
    expect(changed.displayName).toBe('Grace Hopper');
    expect((await patch({ op: 'replace', path: 'name.familyName', value: 'Murray' })).displayName).toBe(
      'Grace Murray',
    );
  });

  test('a password is ignored: people sign in with the provider', async () => {
    await patch({ op: 'replace', value: { password: 'Secret-1234567' } });
    const response = await running.service.api.post('/api/auth/token', {
      email: ada.emails[0]?.value,
      password: 'Secret-1234567',
    });
    expect(response.status).toBe(401);
  });
});
