import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { User } from '../../src/users/user.entity.js';
import type { Workspace } from '../../src/workspaces/workspace.entity.js';
import { Client } from '../support/client.js';
import { type Service, startService } from '../support/service.js';

interface Body {
  id: string;
  code?: string;
  role: string;
  workspaces: { workspace_id: string; role: string; expires_at: string | null }[];
}

let service: Service;
let sales: Workspace;
let other: Workspace;
let chief: User;
let admin: Client;
let manager: Client;
let count = 0;
let email: string;

beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());
beforeEach(async () => {
  email = `climber-${(count += 1)}@example.com`;
  sales = await service.factory.workspace();
  other = await service.factory.workspace();
  chief = await service.factory.user();
  await service.factory.grant(chief, sales, 'manager');
  admin = await service.asAdmin();
  manager = await service.as(chief);
});

const into = (workspace: Workspace, role = 'viewer') => ({
  workspaces: [{ workspace_id: workspace.id, role }],
});
const invite = (by: Client, more: object = {}) => by.post<Body>('/api/users/invite', { email, ...more });
const accept = (invitation_token: string) =>
  service.api.post<Body>('/api/auth/token', {
    grant_type: 'invitation',
    invitation_token,
    password: 'a long enough password',
  });
const asMachine = async ({ id, client_secret }: { id: string; client_secret: string }): Promise<Client> => {
  const credentials = { grant_type: 'client_credentials', client_id: id, client_secret };
  const { body } = await service.api.post<{ access_token: string }>('/api/auth/token', credentials);
  return new Client(service.url, body.access_token);
};
const grantsOf = (person: string) =>
  service.database.query<{ workspace_id: string; role: string; expires_at: Date | null }[]>(
    `SELECT workspace_id, m.role, expires_at FROM grants m JOIN users u ON u.id = m.user_id WHERE email = $1`,
    [person],
  );

describe('an invitation that several users add grants to', () => {
  test('AUTH-32 shows each inviter their own part, and accepting one link confers both', async () => {
    await invite(manager, into(sales));
    const secret = await service.mailbox.secretFor(email);
    service.clock.advance(61);
    await invite(await service.asMember(other, 'manager'), into(other));
    service.clock.advance(61);
    const { status, body } = await invite(manager, into(sales, 'editor'));
    expect(status).toBe(201);
    expect(body.workspaces).toMatchObject([{ workspace_id: sales.id, role: 'editor' }]);
    await service.waitForJobs();
    expect((await accept(secret)).body.code).toBe('invalid_invitation');
    expect((await accept(await service.mailbox.nextSecretFor(email, secret))).status).toBe(200);
    expect(await grantsOf(email)).toHaveLength(2);
  });

  test('AUTH-32 of an admin keeps the admin role when its first inviter repeats it, and can be accepted', async () => {
    await invite(manager, into(sales));
    const older = await service.mailbox.secretFor(email);
    service.clock.advance(61);
    expect((await invite(admin, { role: 'admin' })).body.role).toBe('admin');
    const secret = await service.mailbox.nextSecretFor(email, older);
    service.clock.advance(61);
    await invite(manager, into(sales));
    expect((await accept(older)).body.code).toBe('invalid_invitation');
    expect((await accept(secret)).status).toBe(200);
    const { body } = await admin.get<{ users: { role: string }[] }>(`/api/users?q=${email}`);
    expect(body.users).toMatchObject([{ role: 'admin' }]);
  });

  test('AUTH-32 does not reactivate a disabled user after its admin is disabled', async () => {
    const boss = await service.factory.admin();
    await invite(manager, into(sales));
    const older = await service.mailbox.secretFor(email);
    service.clock.advance(61);
    await invite(await service.as(boss));
    const secret = await service.mailbox.nextSecretFor(email, older);
    await service.factory.user({ email, status: 'disabled' });
    await admin.patch(`/api/users/${boss.id}`, { status: 'disabled' });
    expect((await accept(secret)).body.code).toBe('invitation_revoked');
  });
});

describe('a manager with a temporary grant', () => {
  const limit = async (): Promise<Date> => {
    const until = service.clock.in(3600);
    await service.database.query('UPDATE grants SET expires_at = $2 WHERE user_id = $1', [chief.id, until]);
    return until;
  };

  test('AZ-09 cannot extend their own grant or grant a longer one', async () => {
    const until = await limit();
    const friend = await service.factory.user();
    await service.factory.grant(friend, sales);
    const putManager = ({ id }: { id: string }) =>
      manager.put(`/api/workspaces/${sales.id}/members/${id}`, { role: 'manager' });
    expect(await putManager(chief)).toMatchObject({ status: 403, body: { code: 'access_denied' } });
    expect((await putManager(friend)).status).toBe(200);
    for (const { email } of [chief, friend])
      expect(await grantsOf(email)).toMatchObject([{ role: 'manager', expires_at: until }]);
  });

  test('AUTH-32 invites for the same time at most, including existing users', async () => {
    const until = await limit();
    const { body } = await invite(manager, into(sales));
    expect(body.workspaces).toMatchObject([{ expires_at: until.toISOString() }]);
    expect((await accept(await service.mailbox.secretFor(email))).status).toBe(200);
    expect(await grantsOf(email)).toMatchObject([{ expires_at: until }]);
    const friend = await service.factory.user();
    ({ email } = friend);
    await invite(manager, into(sales, 'manager'));
    await (await service.as(friend)).get('/api/users/me');
    expect(await grantsOf(email)).toMatchObject([{ role: 'manager', expires_at: until }]);
  });
});

describe('lost rights', () => {
  test("AZ-13 are not used in a concurrent invitation: no grant outlives the manager's right", async () => {
    for (let round = 0; round < 10; round += 1) {
      const former = await service.factory.user();
      await service.factory.grant(former, sales, 'manager');
      const api = await service.as(former);
      const friend = await service.factory.user();
      await service.factory.grant(friend, other);
      await service.factory.grant(former, other, 'manager');
      ({ email } = friend);
      const path = `/api/workspaces/${sales.id}/members/${former.id}`;
      const [removed, invited] = await Promise.all([admin.delete(path), invite(api, into(sales))]);
      expect(removed.status).toBe(204);
      expect([200, 400, 403]).toContain(invited.status);
      expect(await grantsOf(email)).toHaveLength(invited.status === 200 ? 2 : 1);
      const response = await invite(api, into(sales, 'editor'));
      expect(response.status).toBe(400);
    }
  });

  test('RACE-06 are checked before a response is replayed', async () => {
    const key = { 'idempotency-key': 'climbing' };
    const body = { email, ...into(sales) };
    expect((await manager.post('/api/users/invite', body, key)).status).toBe(201);
    expect((await manager.post('/api/users/invite', body, key)).status).toBe(201);
    await admin.delete(`/api/workspaces/${sales.id}/members/${chief.id}`);
    expect((await manager.post('/api/users/invite', body, key)).status).toBe(400);
  });

  test('AUTH-32 of a deleted service account void its invitations', async () => {
    const { body } = await admin.post<{ id: string; client_secret: string }>('/api/service-accounts', {
      name: 'Onboarding',
    });
    await admin.put(`/api/workspaces/${sales.id}/members/${body.id}`, { role: 'manager' });
    const machine = await asMachine(body);
    expect((await invite(machine, { role: 'admin' })).status).toBe(403);
    expect((await invite(machine, into(other))).status).toBe(400);
    expect((await invite(machine, into(sales))).status).toBe(201);
    const secret = await service.mailbox.secretFor(email);
    await admin.delete(`/api/service-accounts/${body.id}`);
    expect((await accept(secret)).body.code).toBe('invitation_revoked');
  });
});

test('AUTH-28 a grant that is changed repeatedly sends one email per minute', async () => {
  const known = await service.factory.user();
  await service.factory.grant(known, sales, 'manager');
  ({ email } = known);
  for (const role of ['viewer', 'editor', 'viewer', 'editor']) {
    expect((await invite(manager, into(sales, role))).status).toBe(200);
  }
  await service.waitForJobs();
  expect(await service.mailbox.mailsTo(email)).toHaveLength(1);
  expect(await grantsOf(email)).toMatchObject([{ role: 'editor' }]);
  service.clock.advance(61);
  await invite(manager, into(sales));
  await service.waitForJobs();
  expect(await service.mailbox.mailsTo(email)).toHaveLength(2);
});
