import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { v7 as uuidv7 } from 'uuid';
import type { User } from '../../src/users/user.entity.js';
import type { Client } from '../support/client.js';
import { password } from '../support/factory.js';
import { type Service, startService } from '../support/service.js';
import { until } from '../support/until.js';

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

  test('200: a new email address, in its canonical form; the person signs in with it', async () => {
    const email = `Ada.New-${ada.id}@BÜCHER.example`;
    const canonical = `ada.new-${ada.id}@xn--bcher-kva.example`;
    const response = await patch(admin, ada, { email });
    expect(response).toMatchObject({ status: 200, body: { id: ada.id, email: canonical } });
    const [{ details }] = await service.database.query(
      `SELECT details FROM audit_events WHERE action = 'user_changed' AND target_id = $1`,
      [ada.id],
    );
    expect(details).toEqual({ changed: ['email'] });
    for (const [address, status] of [
      [ada.email, 401],
      [canonical, 200],
    ] as const) {
      expect((await service.api.post('/api/auth/token', { email: address, password })).status).toBe(status);
    }
  });

  test('200: both addresses receive an email about the change, and a link to the former one is void', async () => {
    const reset = { grant_type: 'password_reset_request', email: ada.email };
    expect((await service.api.post('/api/auth/token', reset)).status).toBe(202);
    const reset_token = await service.mailbox.secretFor(ada.email);
    const email = `moved-${ada.id}@example.com`;
    expect((await patch(admin, ada, { email, name: 'Ada Lovelace' })).status).toBe(200);
    const changed = 'Your email address was changed';
    for (const address of [ada.email, email]) {
      const { text } = await until(async () =>
        (await service.mailbox.mailsTo(address)).find(({ subject }) => subject === changed),
      );
      expect(text).toContain('Hello Ada Lovelace,');
      expect(text).not.toContain(address === email ? ada.email : email);
    }
    const again = { grant_type: 'password_reset', reset_token, password: 'plum harbour violet thirteen' };
    expect(await service.api.post('/api/auth/token', again)).toMatchObject({
      status: 400,
      body: { code: 'invalid_password_reset' },
    });
  });

  test('200: an open invitation of the former address is revoked', async () => {
    const address = `invited-${ada.id}@example.com`;
    const { body: invitation } = await admin.post<{ id: string }>('/api/users/invite', { email: address });
    const invited = await service.factory.user({ email: address });
    expect((await patch(admin, invited, { email: `moved-${address}` })).status).toBe(200);
    const { body } = await admin.get(`/api/invitations?q=${address}`);
    expect(body).toMatchObject({ invitations: [{ email: address, status: 'revoked' }] });
    const events = await admin.get(`/api/audit-events?target_type=invitation&target_id=${invitation.id}`);
    expect(events.body).toMatchObject({
      audit_events: [
        { action: 'invitation_revoked', actor: { id: expect.any(String) } },
        { action: 'invitation_created' },
      ],
    });
  });

  test('200: an expired invitation of the former address that belongs to the account is revoked', async () => {
    const address = `expired-${ada.id}@example.com`;
    const { body: invitation } = await admin.post<{ id: string }>('/api/users/invite', { email: address });
    const invited = await service.factory.user({ email: address });
    await service.database.query(
      `UPDATE invitations SET user_id = $2, expires_at = now() - interval '1 hour' WHERE id = $1`,
      [invitation.id, invited.id],
    );
    expect((await patch(admin, invited, { email: `moved-${address}` })).status).toBe(200);
    expect((await admin.get(`/api/invitations/${invitation.id}`)).body).toMatchObject({ status: 'revoked' });
    expect((await admin.post(`/api/invitations/${invitation.id}/resend`)).status).toBe(409);
  });

  test('200: the same address in another spelling changes nothing, and sends no email', async () => {
    expect((await patch(admin, ada, { email: ada.email.toUpperCase() })).status).toBe(200);
    const mails = `SELECT FROM pgboss.job WHERE name = 'email_changed_mail' AND data->>'user_id' = $1`;
    expect(await service.database.query(mails, [ada.id])).toEqual([]);
  });

  test('200: the unchanged address of a person whom SCIM manages, with another change', async () => {
    const managed = await service.factory.user({ source: 'scim' });
    const response = await patch(admin, managed, { email: managed.email.toUpperCase(), role: 'admin' });
    expect(response).toMatchObject({ status: 200, body: { email: managed.email, role: 'admin' } });
  });

  test('409: the address of another user, in any spelling', async () => {
    const ben = await service.factory.user();
    expect(await patch(admin, ada, { email: ben.email.toUpperCase() })).toMatchObject({
      status: 409,
      body: {
        code: 'conflict',
        errors: [{ pointer: '/email', detail: 'another user has this email address' }],
      },
    });
  });

  test('409: one of two users who get the same address at the same time', async () => {
    const ben = await service.factory.user();
    const email = `same-${ada.id}@example.com`;
    const responses = await Promise.all([ada, ben].map((user) => patch(admin, user, { email })));
    expect(responses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
  });

  test('400: a malformed address, that of a person whom SCIM manages, and that of a service account', async () => {
    const managed = await service.factory.user({ source: 'scim' });
    const { body: account } = await admin.post<{ id: string }>('/api/service-accounts', { name: 'Sync' });
    const email = `other-${ada.id}@example.com`;
    for (const [user, address] of [
      [ada, 'Ada <ada@example.com>'],
      [ada, ''],
      [managed, email],
      [account, email],
    ] as const) {
      const { status, body } = await patch(admin, user, { email: address });
      expect({ status, body }).toMatchObject({ status: 400, body: { errors: [{ pointer: '/email' }] } });
    }
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
    const bodies = [{ password_hash: 'x' }, { id: uuidv7() }, { name: null }, { role: 'owner' }];
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
