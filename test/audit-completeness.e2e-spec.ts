import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Client } from './support/client.js';
import { password } from './support/factory.js';
import { type Service, startService } from './support/service.js';
import { until } from './support/until.js';

interface Tokens {
  access_token: string;
  refresh_token: string;
}

let service: Service;
let admin: Client;

beforeAll(async () => {
  service = await startService({ RATE_LIMIT_SIGN_IN_PER_IP: '0' });
  admin = await service.as(await service.factory.admin());
});
afterAll(() => service.close());

const token = async (body: object): Promise<Tokens> =>
  (await service.api.post<Tokens>('/api/auth/token', body)).body;

async function comeAndGo(): Promise<void> {
  const ada = await service.factory.user();
  const refresh = (refresh_token: string) => token({ grant_type: 'refresh_token', refresh_token });
  const first = await token({ email: ada.email, password });
  const second = await refresh(first.refresh_token);
  service.clock.advance(31);
  await refresh(first.refresh_token);
  await refresh(second.refresh_token);
  const api = await service.as(ada);
  await api.put('/api/users/me/password', { current_password: password, new_password: `${password} new` });
  await api.post('/api/auth/logout');
  for (let count = 0; count < 7; count += 1) await token({ email: ada.email, password: 'wrong' });
}

/** With the newest link that came; the older one is dead. */
const accept = async (email: string): Promise<object> =>
  token({ grant_type: 'invitation', invitation_token: await service.mailbox.secretFor(email), password });

async function invite(): Promise<void> {
  const email = 'ivy@example.com';
  const { body } = await admin.post<{ id: string }>('/api/users/invite', { email });
  service.clock.advance(61);
  await admin.post(`/api/invitations/${body.id}/resend`);
  await token({ grant_type: 'invitation', invitation_token: 'made-up', password });
  const other = await admin.post<{ id: string }>('/api/users/invite', { email: 'no@example.com' });
  await admin.delete(`/api/invitations/${other.body.id}`);
  await until(async () => 'access_token' in (await accept(email)));
}

async function changeRights(): Promise<void> {
  const workspace = await service.factory.workspace();
  const ben = await service.factory.user();
  await (await service.as(ben)).get('/api/users');
  const member = `/api/workspaces/${workspace.id}/members/${ben.id}`;
  await admin.put(member, { role: 'manager' });
  await admin.delete(member);
  await admin.patch(`/api/users/${ben.id}`, { role: 'admin' });
  await admin.patch(`/api/users/${ben.id}`, { status: 'disabled' });
  const group = `/api/groups/${(await admin.post<{ id: string }>('/api/groups', { name: 'Sales' })).body.id}`;
  await admin.patch(group, { name: 'Support' });
  await admin.put(`${group}/members/users/${ben.id}`);
  await admin.delete(`${group}/members/users/${ben.id}`);
  await admin.delete(group);
  await admin.put('/api/settings/branding', { product_name: 'Contoso' });
  const dataset = await service.factory.dataset(workspace);
  await admin.put(`/api/datasets/${dataset.id}/identity-policy`, { username: '{{email}}' });
}

async function embed(): Promise<void> {
  await service.sync();
  const { body } = await admin.get<{ reports: { id: string }[] }>('/api/reports');
  for (const { id } of body.reports) await admin.post(`/api/reports/${id}/embed-token`);
}

test('OBS-01 every security-relevant change is recorded with its diff', async () => {
  await comeAndGo();
  await invite();
  await changeRights();
  await embed();
  const { body } = await admin.get<{ audit_events: { action: string; details: object }[] }>(
    '/api/audit-events',
  );
  const verbs = new Set(body.audit_events.map(({ action }) => action));
  expect([...verbs].toSorted()).toEqual(
    expect.arrayContaining([
      'access_denied',
      'branding_changed',
      'embed_token_issued',
      'grant_removed',
      'grant_set',
      'group_created',
      'group_deleted',
      'group_member_added',
      'group_member_removed',
      'group_updated',
      'identity_policy_set',
      'invitation_accepted',
      'invitation_created',
      'invitation_resent',
      'invitation_revoked',
      'password_changed',
      'refresh_token_reused',
      'sign_in_blocked',
      'sign_in_failed',
      'signed_in',
      'signed_out',
      'sync_requested',
      'token_refresh_failed',
      'token_refreshed',
      'user_changed',
      'user_created',
      'user_disabled',
    ]),
  );
  const changed = body.audit_events.find(({ action }) => action === 'user_changed');
  expect(changed?.details).toEqual({ diff: { role: { from: 'member', to: 'admin' } } });
});
