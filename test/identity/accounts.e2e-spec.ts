import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { v7 as uuidv7 } from 'uuid';
import type { User } from '../../src/users/user.entity.js';
import type { Client } from '../support/client.js';
import { password } from '../support/factory.js';
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

const patch = (by: Client, user: Pick<User, 'id'>, changes: unknown) =>
  by.patch(`/api/users/${user.id}`, changes);

describe('PATCH /api/users/:id', () => {
  test('200: changes the given fields only; the audit trail has their names, without values of the person', async () => {
    const response = await patch(admin, ada, { name: 'Ada Lovelace', attributes: { employee_id: '7' } });
    expect(response).toMatchObject({
      status: 200,
      body: { id: ada.id, name: 'Ada Lovelace', email: ada.email, role: 'member', status: 'active' },
    });
    const [event] = await service.database.query(
      `SELECT details FROM audit_events WHERE action = 'user_changed' AND target_id = $1`,
      [ada.id],
    );
    expect(event.details).toEqual({ changed: ['attributes.employee_id', 'name'] });
    await patch(admin, ada, { name: 'Ada', role: 'admin', attributes: { employee_id: '7', region: 'EU' } });
    const [next] = await service.database.query(
      `SELECT details FROM audit_events WHERE action = 'user_changed' AND target_id = $1 ORDER BY id DESC`,
      [ada.id],
    );
    expect(next.details).toEqual({
      diff: { role: { from: 'member', to: 'admin' } },
      changed: ['attributes.region', 'name'],
    });
  });

  test('SES-09 200: disabling ends every session immediately and permanently', async () => {
    const { body } = await service.api.post('/api/auth/token', { email: ada.email, password });
    const api = await service.as(ada);
    await patch(admin, ada, { status: 'disabled' });
    expect((await api.get('/api/users/me')).status).toBe(401);
    const refresh = { grant_type: 'refresh_token', refresh_token: body.refresh_token };
    expect((await service.api.post('/api/auth/token', refresh)).status).toBe(401);
    await patch(admin, ada, { status: 'active' });
    expect((await api.get('/api/users/me')).status).toBe(401);
    expect((await service.api.post('/api/auth/token', refresh)).status).toBe(401);
  });

  test('SES-15 200: a new role is effective on the next request', async () => {
    const api = await service.as(ada);
    expect((await api.get('/api/users')).status).toBe(403);
    await patch(admin, ada, { role: 'admin' });
    expect((await api.get('/api/users')).status).toBe(200);
    await patch(admin, ada, { role: 'member' });
    expect((await api.get('/api/users')).status).toBe(403);
  });

  test('AZ-07 400: fields that cannot be changed', async () => {
    const bodies = [
      { email: 'x@example.com' },
      { password_hash: 'x' },
      { id: uuidv7() },
      { name: null },
      { role: 'owner' },
    ];
    const wrongAttributes = [{ a: 1 }, { 'a b': 'x' }, [], { a: 'x'.repeat(257) }];
    const all = [...bodies, ...wrongAttributes.map((attributes) => ({ attributes }))];
    const responses = await Promise.all(all.map((body) => patch(admin, ada, body)));
    expect(responses.map(({ status }) => status)).toEqual(all.map(() => 400));
  });

  test('403 for members, 404 for an unknown id', async () => {
    expect((await patch(await service.as(ada), ada, { role: 'admin' })).status).toBe(403);
    expect((await patch(admin, { id: uuidv7() }, { name: 'X' })).body.code).toBe('user_not_found');
  });
});

describe('AZ-14: the last admin is kept', () => {
  const chiefs = async (): Promise<User[]> => {
    await service.database.query(`UPDATE users SET role = 'member' WHERE role = 'admin'`);
    return [await service.factory.admin(), await service.factory.admin()];
  };

  test('409: cannot be demoted or disabled', async () => {
    const [first, second] = await chiefs();
    const api = await service.as(first!);
    expect((await patch(api, second!, { status: 'disabled' })).status).toBe(200);
    for (const changes of [{ role: 'member' }, { status: 'disabled' }]) {
      expect(await patch(api, first!, changes)).toMatchObject({ status: 409, body: { code: 'last_admin' } });
    }
  });

  test('of two concurrent demotions of each other one succeeds', async () => {
    for (let round = 0; round < 5; round += 1) {
      const [first, second] = await chiefs();
      const [asFirst, asSecond] = [await service.as(first!), await service.as(second!)];
      const responses = await Promise.all([
        patch(asFirst, second!, { role: 'member' }),
        patch(asSecond, first!, { role: 'member' }),
      ]);
      const [{ count }] = await service.database.query(
        `SELECT count(*)::int FROM users WHERE role = 'admin' AND status = 'active'`,
      );
      expect(count).toBe(1);
      expect(responses.map(({ status }) => status)).toContain(200);
    }
  });
});

describe('/api/users/:id/sessions', () => {
  test('SES-18: an admin lists and ends the sessions of other users', async () => {
    const api = await service.as(ada);
    const { body } = await admin.get<{ sessions: { current: boolean }[] }>(`/api/users/${ada.id}/sessions`);
    expect(body.sessions).toMatchObject([{ current: false }]);
    expect((await admin.delete(`/api/users/${ada.id}/sessions`)).status).toBe(204);
    expect((await api.get('/api/users/me')).status).toBe(401);
    expect((await admin.delete(`/api/users/${uuidv7()}/sessions`)).status).toBe(404);
    expect((await (await service.as(ada)).get(`/api/users/${ada.id}/sessions`)).status).toBe(403);
  });
});
