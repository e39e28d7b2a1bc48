import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { v7 as uuidv7 } from 'uuid';
import type { User } from '../../src/users/user.entity.js';
import type { Client } from '../support/client.js';
import { type Service, startService } from '../support/service.js';

let service: Service;
let admin: Client;
let ada: User;

beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());
beforeEach(async () => {
  admin = await service.asAdmin();
  ada = await service.factory.user();
});

const grantsOf = ({ id }: Pick<User, 'id'>, by = admin) => by.get<object>(`/api/users/${id}/grants`);

describe('GET /api/users/:id/grants', () => {
  test('200: each active grant, sorted by workspace name', async () => {
    const { factory, clock } = service;
    const [sales, finance] = [
      await factory.workspace({ name: 'Sales' }),
      await factory.workspace({ name: 'Finance' }),
    ];
    const ends = clock.in(3600);
    await factory.grant(ada, sales, 'editor', ends);
    await factory.grant(ada, finance);
    await factory.grant(ada, await factory.workspace(), 'manager', clock.in(-1));
    await factory.grant(ada, await factory.workspace({ retiredAt: clock.now() }));
    await factory.grant(ada, sales, 'manager', null, 'provider');
    expect(await grantsOf(ada)).toMatchObject({
      status: 200,
      body: {
        grants: [
          { workspace_id: finance.id, workspace_name: 'Finance', role: 'viewer', source: 'manual' },
          { workspace_name: 'Sales', role: 'editor', source: 'manual', expires_at: ends.toISOString() },
          { workspace_name: 'Sales', role: 'manager', source: 'provider', expires_at: null },
        ],
      },
    });
  });

  test('200: a service account has grants too; without grants the list is empty', async () => {
    const { body } = await admin.post<{ id: string }>('/api/service-accounts', { name: 'Nightly' });
    expect((await grantsOf(body)).body).toEqual({ grants: [] });
    const sales = await service.factory.workspace();
    await admin.put(`/api/workspaces/${sales.id}/members/${body.id}`, { role: 'viewer' });
    expect((await grantsOf(body)).body).toMatchObject({ grants: [{ workspace_id: sales.id }] });
  });

  test("403: a manager, even of all the user's workspaces; 404: an unknown user", async () => {
    const sales = await service.factory.workspace();
    await service.factory.grant(ada, sales);
    const manager = await service.asMember(sales, 'manager');
    expect(await grantsOf(ada, manager)).toMatchObject({ status: 403, body: { code: 'access_denied' } });
    expect(await grantsOf({ id: uuidv7() })).toMatchObject({ status: 404, body: { code: 'user_not_found' } });
  });
});

describe('GET /api/groups/:id/grants', () => {
  test('200: own grants and those of the groups that contain it, with the path', async () => {
    const { factory, clock } = service;
    const [sales, finance] = [
      await factory.workspace({ name: 'Sales' }),
      await factory.workspace({ name: 'Finance' }),
    ];
    const revenue = await factory.report(sales, { name: 'Revenue' });
    const inner = await factory.group({ name: 'Inner' });
    const middle = await factory.group({ name: 'Middle' });
    const outer = await factory.group({ name: 'Outer' });
    await admin.put(`/api/groups/${middle.id}/members/groups/${inner.id}`);
    await admin.put(`/api/groups/${outer.id}/members/groups/${middle.id}`);
    await admin.put(`/api/workspaces/${finance.id}/grants/groups/${inner.id}`, { role: 'editor' });
    await admin.put(`/api/reports/${revenue.id}/grants/groups/${outer.id}`, { role: 'viewer' });
    const expiresAt = clock.in(3600).toISOString();
    await admin.put(`/api/workspaces/${sales.id}/grants/groups/${middle.id}`, {
      role: 'viewer',
      expires_at: expiresAt,
    });
    const { body } = await admin.get<{ grants: { report_id: string | null }[] }>(
      `/api/groups/${inner.id}/grants`,
    );
    expect(body.grants).toHaveLength(3);
    expect(body.grants).toMatchObject([{ workspace_name: 'Finance', role: 'editor', path: [] }, {}, {}]);
    expect(body.grants).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ report_id: revenue.id, role: 'viewer', path: ['Outer', 'Middle'] }),
        expect.objectContaining({ report_id: null, expires_at: expiresAt, path: ['Middle'] }),
      ]),
    );
  });

  test('403: a member of the group; 404: an unknown group', async () => {
    const group = await service.factory.group({}, [ada]);
    const path = `/api/groups/${group.id}/grants`;
    expect(await (await service.as(ada)).get(path)).toMatchObject({ status: 403 });
    expect(await admin.get(`/api/groups/${uuidv7()}/grants`)).toMatchObject({
      status: 404,
      body: { code: 'group_not_found' },
    });
  });
});

describe('GET /api/users/:id/attributes', () => {
  test('200: the attributes that an admin set', async () => {
    await admin.patch(`/api/users/${ada.id}`, { attributes: { employee_id: '7' } });
    const response = await admin.get(`/api/users/${ada.id}/attributes`);
    expect(response).toMatchObject({ status: 200, body: { attributes: { employee_id: '7' } } });
  });

  test('403: the user themselves, like any member; 404: an unknown user', async () => {
    const response = await (await service.as(ada)).get(`/api/users/${ada.id}/attributes`);
    expect(response).toMatchObject({ status: 403, body: { code: 'access_denied' } });
    expect(await admin.get(`/api/users/${uuidv7()}/attributes`)).toMatchObject({
      status: 404,
      body: { code: 'user_not_found' },
    });
  });
});
