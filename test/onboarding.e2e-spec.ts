import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Client } from './support/client.js';
import { type Service, startService } from './support/service.js';

interface Onboarding {
  items: { code: string; done: boolean; detail?: string }[];
  dismissed_at: string | null;
}

let service: Service;
let admin: Client;

beforeAll(async () => {
  service = await startService();
  admin = await service.asAdmin();
});
afterAll(() => service.close());

const path = '/api/settings/onboarding';

/** Later than the cached health checks. */
async function items(): Promise<Record<string, { done: boolean; detail?: string }>> {
  service.clock.advance(16);
  const { body } = await admin.get<Onboarding>(path);
  return Object.fromEntries(body.items.map(({ code, ...rest }) => [code, rest]));
}

test('a new installation: Power BI is reachable, the rest is open with the reason', async () => {
  expect(await items()).toEqual({
    power_bi: { done: true },
    first_sync: { done: false, detail: 'No sync has succeeded yet.' },
    mail: { done: false, detail: 'No email has been sent yet.' },
    first_invitation: { done: false, detail: 'No user has been invited yet.' },
    identity_policies: { done: false, detail: 'No sync has succeeded yet.' },
    branding: { done: false, detail: 'Product name, colours and logos are the defaults.' },
  });
});

test('a sync completes its step; datasets that require an identity need a policy', async () => {
  await service.sync();
  const { first_sync: sync, identity_policies: policies } = await items();
  expect(sync).toEqual({ done: true });
  expect(policies?.detail).toMatch(/^\d+ datasets? requires? an identity/);
  await service.database.query(
    `UPDATE datasets SET identity_policy = '{"username":"{{email}}","roles":["Sales"],"custom_data":null}'`,
  );
  expect((await items()).identity_policies).toEqual({ done: true });
});

test('an invitation completes its step, and mail once it was sent', async () => {
  service.mailbox.refuseWith({ responseCode: 550, message: 'relay denied' });
  await admin.post('/api/users/invite', { email: 'ivy@example.com' });
  await service.waitForJobs();
  const refused = await items();
  expect(refused.first_invitation).toEqual({ done: true });
  expect(refused.mail?.detail).toContain('relay denied');
  service.mailbox.refuseWith();
  await admin.post('/api/users/invite', { email: 'ada@example.com' });
  await service.waitForJobs();
  expect((await items()).mail).toEqual({ done: true });
});

test('a changed branding completes its step, until it is reset', async () => {
  await admin.put('/api/settings/branding', { product_name: 'Contoso' });
  expect((await items()).branding).toEqual({ done: true });
  await admin.put('/api/settings/branding', {});
  expect((await items()).branding?.done).toBe(false);
});

test('the checklist is dismissed for all admins, and shown again', async () => {
  const { body } = await admin.put<Onboarding>(path, { dismissed: true });
  expect(body.dismissed_at).not.toBeNull();
  const other = await service.asAdmin();
  expect((await other.get<Onboarding>(path)).body.dismissed_at).toBe(body.dismissed_at);
  expect((await other.put<Onboarding>(path, { dismissed: false })).body.dismissed_at).toBeNull();
  expect((await admin.put(path, { dismissed: 'yes' })).status).toBe(400);
});

test('dismissing the checklist is audited, once for each change', async () => {
  for (const dismissed of [true, true, false]) await admin.put(path, { dismissed });
  const { body } = await admin.get<{
    audit_events: { action: string; target: object; details: { diff: object } }[];
  }>('/api/audit-events?action=onboarding_changed&limit=2');
  const target = { type: 'settings', id: 'onboarding' };
  expect(body.audit_events).toMatchObject([
    { target, details: { diff: { dismissed: { from: true, to: false } } } },
    { target, details: { diff: { dismissed: { from: false, to: true } } } },
  ]);
});
