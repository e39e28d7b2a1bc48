import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { User } from '../../src/users/user.entity.js';
import type { Workspace } from '../../src/workspaces/workspace.entity.js';
import { Client } from '../support/client.js';
import { password } from '../support/factory.js';
import { lockRows } from '../support/row-lock.js';
import { type Service, startService } from '../support/service.js';
import { until } from '../support/until.js';

let service: Service;
let sales: Workspace;
let manager: Client;
let ada: User;
let api: Client;

beforeAll(async () => {
  service = await startService({ REQUEST_DEADLINE_SECONDS: '3' });
  sales = await service.factory.workspace();
  manager = await service.asMember(sales, 'manager');
});
afterAll(() => service.close());
beforeEach(async () => {
  service.clock.advance(61);
  ada = await service.factory.user();
  api = await service.as(ada);
});

const invite = () =>
  manager.post<{ id: string; status: string }>('/api/users/invite', {
    email: ada.email,
    workspaces: [{ workspace_id: sales.id, role: 'viewer' }],
  });
const workspacesOf = async (client = api): Promise<string[]> => {
  const { body } = await client.get<{ workspaces: { id: string }[] }>('/api/workspaces');
  return body.workspaces.map(({ id }) => id);
};
/** As a change of groups with many people does. */
const lockAda = () =>
  lockRows(service.databaseUrl, 'SELECT FROM users WHERE id = $1 FOR NO KEY UPDATE', [ada.id]);

describe('an invitation of a user with an account', () => {
  test('cannot make a request of its user fail or wait, sign-out included; it is accepted later', async () => {
    const other = await service.as(ada);
    const { release } = await lockAda();
    try {
      expect(await invite()).toMatchObject({ status: 201, body: { status: 'pending' } });
      for (const path of ['/api/workspaces', '/api/users/me', '/api/auth/sessions']) {
        expect([path, (await api.get(path)).status]).toEqual([path, 200]);
      }
      expect((await other.post('/api/auth/logout')).status).toBe(204);
    } finally {
      await release();
    }
    await until(async () => {
      // The next attempt starts when the principal is read again.
      service.clock.advance(5);
      return (await workspacesOf()).includes(sales.id);
    });
  });

  test('is accepted by a sign-in, before its first request', async () => {
    await invite();
    expect(await workspacesOf(await service.as(ada))).toEqual([sales.id]);
  });

  test('replaces an older grant, as the link does', async () => {
    const admin = await service.asAdmin();
    await service.factory.grant(ada, sales);
    await admin.patch(`/api/users/${ada.id}`, { status: 'disabled' });
    const workspaces = [{ workspace_id: sales.id, role: 'editor' }];
    await admin.post('/api/users/invite', { email: ada.email, workspaces });
    await admin.patch(`/api/users/${ada.id}`, { status: 'active' });
    const older = await service.mailbox.secretFor(ada.email);
    const token = (body: object) => service.api.post('/api/auth/token', body);
    // Proves that the address is Ada's.
    await token({ grant_type: 'password_reset_request', email: ada.email });
    const reset_token = await service.mailbox.nextSecretFor(ada.email, older);
    await token({ grant_type: 'password_reset', reset_token, password });
    const { body } = await (await service.as(ada)).get('/api/users/me');
    expect(body.grants).toMatchObject([{ workspace_id: sales.id, role: 'editor' }]);
  });

  test('is accepted by the renewal of a session; a renewal succeeds while it cannot be accepted', async () => {
    interface Tokens extends Record<string, unknown> {
      access_token: string;
      refresh_token: string;
    }
    const { body: first } = await service.api.post<Tokens>('/api/auth/token', { email: ada.email, password });
    const renew = (refresh_token: string) =>
      service.api.post<Tokens>('/api/auth/token', { grant_type: 'refresh_token', refresh_token });
    await invite();
    const { release } = await lockRows(
      service.databaseUrl,
      'SELECT FROM invitations WHERE user_id = $1 FOR UPDATE',
      [ada.id],
    );
    const second = await renew(first.refresh_token);
    await release();
    expect(second.status).toBe(200);
    const third = await renew(second.body.refresh_token);
    expect(await workspacesOf(new Client(service.url, third.body.access_token))).toEqual([sales.id]);
  });
});
