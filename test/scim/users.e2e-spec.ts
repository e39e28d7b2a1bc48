import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
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

beforeAll(async () => {
  running = await startScim();
});
afterAll(() => running.service.close());

const create = async (given: object = {}): Promise<ScimUserBody> => {
  const { status, body } = await running.scim.post<ScimUserBody>('/scim/v2/Users', newPerson(given));
  expect(status).toBe(201);
  return body;
};
const find = async (filter: string): Promise<ScimUserBody[]> => {
  const path = `/scim/v2/Users?filter=${encodeURIComponent(filter)}`;
  const { status, body } = await running.scim.get<ListBody<ScimUserBody>>(path);
  expect(status).toBe(200);
  return body.Resources;
};

describe('POST /scim/v2/Users', () => {
  test('creates a person who can be read by id, with a location', async () => {
    const response = await running.scim.post<ScimUserBody>('/scim/v2/Users', newPerson());
    expect(response.status).toBe(201);
    expect(response.headers.get('content-type')).toContain('application/scim+json');
    expect(response.headers.get('location')).toMatch(new RegExp(`/scim/v2/Users/${response.body.id}$`));
    const again = await running.scim.get<ScimUserBody>(`/scim/v2/Users/${response.body.id}`);
    expect(again.body).toEqual(response.body);
  });

  test('the person appears to admins, with attributes for row-level security and audit events', async () => {
    const { id, displayName } = await create({ title: 'Engineer' });
    const { body } = await running.admin.get(`/api/users/${id}`);
    expect(body).toMatchObject({ name: displayName, role: 'member', status: 'active' });
    const [row] = await running.service.database.query<{ attributes: object }[]>(
      'SELECT attributes FROM users WHERE id = $1',
      [id],
    );
    expect(row?.attributes).toEqual({ department: 'Sales', costCenter: '4711', title: 'Engineer' });
    await running.scim.patch(
      `/scim/v2/Users/${id}`,
      patchOf({ op: 'replace', path: 'title', value: 'Chief' }),
    );
    const { body: trail } = await running.admin.get<{
      audit_events: { action: string; actor: { id: string }; details: { source?: string } }[];
    }>(`/api/audit-events?target_id=${id}`);
    const events = trail.audit_events.map(({ action, actor, details }) => [action, actor.id, details.source]);
    expect(events).toEqual([
      ['user_changed', running.accountId, 'scim'],
      ['user_created', running.accountId, 'scim'],
    ]);
  });

  test('409 uniqueness for the same userName in another case, and nothing changes', async () => {
    const { id, userName } = await create();
    const response = await running.scim.post(
      '/scim/v2/Users',
      newPerson({ userName: userName.toUpperCase() }),
    );
    expect(response.status).toBe(409);
    expect(response.body).toMatchObject({ scimType: 'uniqueness', status: '409' });
    expect((await running.scim.get<ScimUserBody>(`/scim/v2/Users/${id}`)).body.userName).toBe(userName);
  });

  test('a repeated create does not clear the link to the provider', async () => {
    const { id, userName, externalId } = await create();
    await running.scim.post('/scim/v2/Users', newPerson({ userName, externalId: undefined }));
    expect((await running.scim.get<ScimUserBody>(`/scim/v2/Users/${id}`)).body.externalId).toBe(externalId);
  });

  test.each([
    ['no userName', { userName: undefined }],
    ['no address at all', { userName: 'ada', emails: undefined }],
    ['an address that is none', { emails: [{ value: 'no address' }] }],
    ['a userName with control characters', { userName: 'a\u0007b' }],
    ['an active that is neither true nor false', { active: 'perhaps' }],
    ['an attribute that is too long', { title: 'x'.repeat(300) }],
  ])('400 for %s', async (_, given) => {
    const response = await running.scim.post('/scim/v2/Users', newPerson(given));
    expect(response.status).toBe(400);
    expect(response.body.scimType).toBe('invalidValue');
  });

  test('400 invalidSyntax for a body that is no object or no JSON', async () => {
    expect((await running.scim.post('/scim/v2/Users', [])).body.scimType).toBe('invalidSyntax');
  });

  test('application/scim+json is accepted', async () => {
    const response = await running.scim.post('/scim/v2/Users', newPerson(), {
      'content-type': 'application/scim+json; charset=utf-8',
    });
    expect(response.status).toBe(201);
  });

  test('__proto__ and constructor are not attributes', async () => {
    const { id } = await create();
    for (const path of ['__proto__.polluted', 'constructor.prototype.polluted']) {
      const body = patchOf({ op: 'replace', path, value: 'yes' });
      expect((await running.scim.patch(`/scim/v2/Users/${id}`, body)).body.scimType).toBe('invalidPath');
    }
    expect(({} as { polluted?: string }).polluted).toBeUndefined();
  });
});

describe('GET /scim/v2/Users', () => {
  test('a person of another source is found by email address and adopted by PATCH', async () => {
    const manual = await running.service.factory.user({ email: 'manual@example.com' });
    const [found] = await find('userName eq "Manual@Example.com"');
    expect(found?.id).toBe(manual.id);
    await running.scim.patch(
      `/scim/v2/Users/${manual.id}`,
      patchOf({ op: 'add', path: 'externalId', value: 'e-1' }),
    );
    expect((await find('externalId eq "e-1"'))[0]?.id).toBe(manual.id);
    const [row] = await running.service.database.query<{ source: string }[]>(
      'SELECT source FROM users WHERE id = $1',
      [manual.id],
    );
    expect(row?.source).toBe('scim');
  });

  test('a userName that is also the email address of another person finds one person', async () => {
    const userName = `${randomUUID()}@example.com`;
    const { id } = await create({ userName, emails: [{ value: `work.${userName}` }] });
    const other = await running.service.factory.user({ email: userName });
    expect((await find(`userName eq "${userName}"`)).map((found) => found.id)).toEqual([id]);
    await running.scim.delete(`/scim/v2/Users/${id}`);
    expect((await find(`userName eq "${userName}"`)).map((found) => found.id)).toEqual([other.id]);
  });

  test('pages by startIndex and count', async () => {
    await Promise.all([create(), create(), create()]);
    const page = (query: string) => running.scim.get<ListBody<ScimUserBody>>(`/scim/v2/Users?${query}`);
    const all = (await page('')).body;
    const second = (await page('startIndex=2&count=1')).body;
    expect(second).toMatchObject({ totalResults: all.totalResults, startIndex: 2, itemsPerPage: 1 });
    expect(second.Resources[0]?.id).toBe(all.Resources[1]?.id);
    expect((await page('count=0')).body).toMatchObject({ totalResults: all.totalResults, Resources: [] });
    expect((await page('startIndex=-5&count=1')).body.Resources[0]?.id).toBe(all.Resources[0]?.id);
    expect((await page('startIndex=100000')).body.Resources).toEqual([]);
    const huge = '9'.repeat(400);
    expect((await page(`startIndex=-${huge}&count=${huge}`)).body).toEqual(all);
    expect((await page(`startIndex=${huge}`)).body).toMatchObject({ itemsPerPage: 0, Resources: [] });
  });

  test.each([
    ['displayName co "filter %"', 1],
    ['displayName sw "unique"', 1],
    ['name.familyName eq "FILTER"', 1],
    ['emails[type eq "work" and value eq "filter@example.com"]', 1],
    ['emails.value eq "FILTER@example.com" and active eq true', 1],
    ['urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department eq "Filters"', 1],
    ['title pr and title eq "Filterer"', 1],
    ['displayName eq "unique filter %name" or id eq "no"', 1],
    ['not (userName ne "filter@example.com")', 1],
    ['active eq "False" and userName eq "filter@example.com"', 0],
    ['displayName co "_"', 0],
    ['meta.created gt "2020-01-01T00:00:00Z" and userName eq "filter@example.com"', 1],
    [`id eq "${randomUUID()}"`, 0],
  ])('filter %s: %i', async (filter, expected) => {
    if ((await find('userName eq "filter@example.com"')).length === 0) {
      await create({
        userName: 'filter@example.com',
        displayName: 'Unique filter %name',
        name: { familyName: 'Filter' },
        emails: [{ value: 'filter@example.com' }],
        title: 'Filterer',
        [`urn:ietf:params:scim:schemas:extension:enterprise:2.0:User`]: { department: 'Filters' },
      });
    }
    expect(await find(filter)).toHaveLength(expected);
  });

  test.each([
    'userName',
    'userName zz "x"',
    'unknown eq "x"',
    '(',
    'id co "x"',
    'active gt true',
    'active eq 1',
    'active eq "yes"',
    'active ne null',
    'toString pr',
    `userName eq "${'x'.repeat(2000)}"`,
    'meta.created gt "-200000-01-01T00:00:00Z"',
    Array(51).fill('title pr').join(' or '),
  ])('400 invalidFilter: %s', async (filter) => {
    const response = await running.scim.get(`/scim/v2/Users?filter=${encodeURIComponent(filter)}`);
    expect(response.body).toMatchObject({ status: '400', scimType: 'invalidFilter' });
  });

  test('a filter of 50 comparisons and of 2,000 characters is not too long', async () => {
    await find(Array(50).fill('title pr').join(' or '));
    await find(`${'('.repeat(900)}title pr${')'.repeat(900)}`);
    const start = 'userName eq "';
    await find(`${start}${'x'.repeat(2000 - start.length - 1)}"`);
  });

  test('attributes and excludedAttributes select', async () => {
    const { id } = await create();
    const some = await running.scim.get(`/scim/v2/Users/${id}?attributes=userName,name.givenName`);
    expect(Object.keys(some.body).toSorted()).toEqual(['id', 'meta', 'name', 'schemas', 'userName']);
    const filtered = encodeURIComponent('emails[type eq "work"]');
    const emails = await running.scim.get(`/scim/v2/Users/${id}?attributes=${filtered}`);
    expect(Object.keys(emails.body).toSorted()).toEqual(['emails', 'id', 'meta', 'schemas']);
    const others = await running.scim.get(`/scim/v2/Users/${id}?excludedAttributes=emails`);
    expect(others.body).not.toHaveProperty('emails');
    expect(others.body).toHaveProperty('userName');
  });

  test('service accounts are no users, and an unknown id is 404', async () => {
    expect((await running.scim.get(`/scim/v2/Users/${running.accountId}`)).status).toBe(404);
    expect((await running.scim.get(`/scim/v2/Users/${randomUUID()}`)).status).toBe(404);
    expect((await running.scim.get('/scim/v2/Users/no-id')).status).toBe(404);
  });

  test('an id in capital letters is the same id', async () => {
    const { id } = await create();
    const path = `/scim/v2/Users/${id.toUpperCase()}`;
    expect((await running.scim.get(path)).body.id).toBe(id);
    const change = patchOf({ op: 'replace', path: 'title', value: 'Chief' });
    expect((await running.scim.patch(path, change)).body.title).toBe('Chief');
    const user = await running.service.as({ id });
    expect((await user.get('/api/users/me')).status).toBe(200);
    expect((await running.scim.delete(path)).status).toBe(204);
    expect((await user.get('/api/users/me')).status).toBe(401);
    const { body } = await running.admin.get(`/api/audit-events?target_id=${id}&action=signed_out`);
    expect(body).toMatchObject({ audit_events: [{ target: { id } }] });
  });
});

describe('DELETE /scim/v2/Users/:id', () => {
  test('disables, hides, and a new create brings the person back', async () => {
    const { id, userName } = await create();
    expect((await running.scim.delete(`/scim/v2/Users/${id}`)).status).toBe(204);
    expect((await running.scim.get(`/scim/v2/Users/${id}`)).status).toBe(404);
    expect((await running.scim.delete(`/scim/v2/Users/${id}`)).status).toBe(404);
    expect(await find(`userName eq "${userName}"`)).toEqual([]);
    expect((await running.admin.get(`/api/users/${id}`)).body.status).toBe('disabled');
    const again = await running.scim.post<ScimUserBody>('/scim/v2/Users', newPerson({ userName }));
    expect(again.status).toBe(201);
    expect(again.body).toMatchObject({ id, active: true });
  });
});

describe('the email address of an admin', () => {
  test('cannot be changed, because a password reset would take the account over', async () => {
    const boss = await running.service.factory.admin();
    const change = patchOf({
      op: 'replace',
      path: 'emails[type eq "work"].value',
      value: 'thief@example.com',
    });
    const response = await running.scim.patch(`/scim/v2/Users/${boss.id}`, change);
    expect(response.body).toMatchObject({ status: '400', scimType: 'mutability' });
    expect((await running.admin.get(`/api/users/${boss.id}`)).body.email).toBe(boss.email);
    await running.admin.patch(`/api/users/${boss.id}`, { role: 'member' });
  });
});

describe('the last admin', () => {
  test.each([
    ['by DELETE', (id: string) => running.scim.delete(`/scim/v2/Users/${id}`)],
    [
      'by PATCH',
      (id: string) =>
        running.scim.patch(
          `/scim/v2/Users/${id}`,
          patchOf({ op: 'Replace', path: 'active', value: 'False' }),
        ),
    ],
    [
      'by PUT',
      async (id: string) => {
        const { body } = await running.scim.get<ScimUserBody>(`/scim/v2/Users/${id}`);
        return running.scim.put(`/scim/v2/Users/${id}`, { ...body, active: false });
      },
    ],
  ])('cannot be disabled %s, whatever the case of the id', async (_, request) => {
    for (const id of [running.adminId, running.adminId.toUpperCase()]) {
      const response = await request(id);
      expect(response.status).toBe(409);
      expect(response.body).toMatchObject({ status: '409' });
      expect((await running.admin.get('/api/users/me')).status).toBe(200);
    }
  });
});

describe('a successor of the same userName, whose display name is not sent', () => {
  test.each([
    [
      'created after a deletion',
      async (id: string, body: object) => {
        await running.scim.delete(`/scim/v2/Users/${id}`);
        return running.scim.post<ScimUserBody>('/scim/v2/Users', body);
      },
    ],
    ['by PUT', (id: string, body: object) => running.scim.put<ScimUserBody>(`/scim/v2/Users/${id}`, body)],
  ])('has the name of its parts: %s', async (_, replace) => {
    const { id, userName } = await create({
      displayName: 'Alice Old',
      name: { givenName: 'Alice', familyName: 'Oldman' },
    });
    const { body } = await replace(id, { userName, name: { givenName: 'Bob', familyName: 'Newman' } });
    expect(body).toMatchObject({ id, displayName: 'Bob Newman', name: { formatted: 'Bob Newman' } });
    expect((await replace(id, { userName })).body).toMatchObject({ id, displayName: userName });
  });
});

describe('a person whom SCIM deleted, created again', () => {
  test('keeps the link to the provider, and attributes that admins set', async () => {
    const { id, userName, externalId } = await create();
    await running.service.database.query(
      `UPDATE users SET attributes = attributes || '{"region":"EU"}' WHERE id = $1`,
      [id],
    );
    await running.scim.delete(`/scim/v2/Users/${id}`);
    const again = await create({ userName, externalId: undefined });
    expect(again).toMatchObject({ id, externalId, active: true });
    const [row] = await running.service.database.query<{ attributes: object }[]>(
      'SELECT attributes FROM users WHERE id = $1',
      [id],
    );
    expect(row?.attributes).toMatchObject({ region: 'EU', department: 'Sales' });
  });

  test('removes attributes of the provider that the new body does not contain', async () => {
    const { id, userName } = await create({ title: 'Director' });
    await running.scim.delete(`/scim/v2/Users/${id}`);
    const body = { userName, displayName: 'Another Person' };
    const again = (await running.scim.post<ScimUserBody>('/scim/v2/Users', body)).body;
    expect(again).toMatchObject({ id, displayName: 'Another Person', active: true });
    expect(again.title).toBeUndefined();
    expect(again[ENTERPRISE]).toBeUndefined();
    expect(again.name).toEqual({ formatted: 'Another Person' });
  });

  test('400 for another email address of an admin: a password reset would take the account over', async () => {
    const boss = await running.service.factory.admin();
    expect((await running.scim.delete(`/scim/v2/Users/${boss.id}`)).status).toBe(204);
    const response = await running.scim.post(
      '/scim/v2/Users',
      newPerson({ userName: boss.email, emails: [{ value: 'other@example.com', primary: true }] }),
    );
    expect(response).toMatchObject({ status: 400, body: { scimType: 'mutability' } });
    expect((await running.admin.get(`/api/users/${boss.id}`)).body).toMatchObject({
      email: boss.email,
      status: 'disabled',
    });
  });

  test('by two requests at once: 201 and 409', async () => {
    const { id, userName } = await create();
    await running.scim.delete(`/scim/v2/Users/${id}`);
    const responses = await Promise.all(
      [1, 2].map(() => running.scim.post('/scim/v2/Users', newPerson({ userName }))),
    );
    expect(responses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409]);
  });
});

test('two admins who are the last ones, disabled at once: one stays', async () => {
  const { service, adminId, scim } = running;
  for (let round = 0; round < 5; round += 1) {
    const boss = await service.factory.admin();
    const responses = await Promise.all([
      scim.delete(`/scim/v2/Users/${boss.id}`),
      scim.patch(`/scim/v2/Users/${adminId}`, patchOf({ op: 'replace', path: 'active', value: false })),
    ]);
    const statuses = responses.map(({ status }) => status);
    expect(statuses.filter((status) => status === 409)).toHaveLength(1);
    expect(statuses.filter((status) => status < 300)).toHaveLength(1);
    await service.database.query(`UPDATE users SET status = 'disabled' WHERE id = $1`, [boss.id]);
    await service.database.query(`UPDATE users SET status = 'active' WHERE id = $1`, [adminId]);
  }
});
