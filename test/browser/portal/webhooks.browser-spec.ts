import type { Page } from 'playwright-core';
import { Webhook } from 'standardwebhooks';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { until } from '../../support/until.js';
import { accept, type Receiver, refuse, startReceiver } from '../../webhooks/receiver.js';
import { confirm, fails, section } from './admin.js';
import { expectLayout } from './looks.js';
import { addWebhook, asAdmin, member } from './people.js';
import { Portal, type Width } from './portal.js';

let portal: Portal;
let receiver: Receiver;

beforeAll(async () => {
  receiver = await startReceiver();
  portal = await Portal.open();
}, 120_000);
beforeEach(() => receiver.react(accept));
afterEach(async () => {
  const { webhooks } = (await (await asAdmin(portal, 'GET', '/api/webhooks')).json()) as {
    webhooks: { id: string }[];
  };
  for (const { id } of webhooks) await asAdmin(portal, 'DELETE', `/api/webhooks/${id}`);
  expect(portal.pageErrors).toEqual([]);
});
afterAll(async () => {
  await portal.close();
  await receiver.close();
});

const typesIn = () => receiver.received.map(({ body }) => body.type);

/** As the admin, at the page of a new webhook. */
async function openWebhook(types?: string[], width?: Width): Promise<Page> {
  const id = await addWebhook(portal, receiver.url, types);
  const page = await portal.as(portal.admin, `/settings/webhooks/${id}`, width);
  await page.getByRole('heading', { name: receiver.url, level: 1 }).waitFor();
  return page;
}

test.each<Width>(['phone', 'desktop'])(
  'a webhook is added, its secret is shown once and verifies a ping (%s)',
  async (width) => {
    const page = await portal.as(portal.admin, '/settings/webhooks', width);
    await page.getByText('No webhooks yet').waitFor();
    await expectLayout(page, `webhooks-empty-${width}`);
    await page.getByRole('button', { name: 'Add webhook' }).press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Add webhook' });
    await dialog.getByLabel(/^URL/).fill('http://10.0.0.1/hooks');
    await dialog.getByLabel(/^URL/).press('Enter');
    await dialog.getByText(/must begin with https/).waitFor();
    await dialog.getByLabel(/^URL/).fill(receiver.url);
    await dialog.getByRole('combobox', { name: 'Event types' }).fill('user.inv');
    await page.getByRole('option', { name: 'user.invited' }).waitFor();
    await dialog.getByRole('combobox', { name: 'Event types' }).press('ArrowDown');
    await dialog.getByRole('combobox', { name: 'Event types' }).press('Enter');
    await page.keyboard.press('Tab');
    await expectLayout(page, `webhook-add-${width}`);
    await dialog.getByRole('button', { name: 'Add', exact: true }).press('Enter');
    const secret = await dialog.getByLabel('Signing secret').inputValue();
    expect(secret).toMatch(/^whsec_/);
    await dialog.getByRole('button', { name: 'Copy' }).waitFor();
    await expectLayout(page, `webhook-secret-${width}`);
    await page.keyboard.press('Escape');
    await page
      .getByRole('dialog', { name: 'Discard this secret?' })
      .getByRole('button', { name: 'Cancel' })
      .click();
    await dialog.getByRole('button', { name: 'Done' }).press('Enter');
    await page.getByRole('heading', { name: receiver.url, level: 1 }).waitFor();
    expect(await page.getByText(secret).count()).toBe(0);
    const before = receiver.received.length;
    await page.getByRole('button', { name: 'Send ping' }).press('Enter');
    await page.getByText(/^Ping delivered in \d+ ms$/).waitFor();
    const ping = receiver.received[before];
    expect(new Webhook(secret).verify(ping?.raw ?? '', ping?.headers ?? {})).toMatchObject({
      type: 'webhook.ping',
    });
    await page.getByRole('row', { name: /webhook\.ping Succeeded \(204\)/ }).waitFor();
    await expectLayout(page, `webhook-${width}`);
    await page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('link').click();
    await page.getByRole('row', { name: /user\.invited Active Succeeded \(204\)/ }).waitFor();
    await expectLayout(page, `webhooks-${width}`);
  },
);

test('a failed delivery is explained, and a ping reports its failure', async () => {
  receiver.react(refuse(500));
  const page = await openWebhook(['group.created']);
  await page.getByRole('button', { name: 'Send ping' }).click();
  await page.getByText('Ping failed: The receiver responded with an error (500)').waitFor();
  await asAdmin(portal, 'POST', '/api/groups', { name: 'Announced' });
  await page
    .getByRole('row', { name: /group\.created The receiver responded with an error \(500\)/ })
    .first()
    .waitFor();
  await page
    .getByRole('status')
    .getByText(/Deliveries are failing; first failure: /)
    .waitFor();
  await expectLayout(page, 'webhook-failing');
});

test('an event is delivered, and again by its id and by a period', async () => {
  const page = await openWebhook(['group.created']);
  const count = () => typesIn().filter((type) => type === 'group.created').length;
  const before = count();
  await asAdmin(portal, 'POST', '/api/groups', { name: 'Delivered' });
  await until(() => count() === before + 1);
  const row = page.getByRole('row', { name: /group\.created Succeeded/ });
  await row.first().waitFor();
  await row
    .first()
    .getByRole('button', { name: /^Redeliver group\.created/ })
    .press('Enter');
  await page.getByText('The event is delivered again.').waitFor();
  await until(() => count() === before + 2);
  await page.getByRole('button', { name: 'Redeliver a period' }).click();
  const dialog = page.getByRole('dialog', { name: 'Redeliver a period' });
  const from = await dialog.getByLabel('From').inputValue();
  await dialog.getByLabel('To').fill(from);
  await dialog.getByRole('button', { name: 'Redeliver' }).click();
  await dialog.getByText('The end must be later than the start.').waitFor();
  await expectLayout(page, 'webhook-period');
  await dialog.getByLabel('To').fill('2099-12-31T00:00');
  await dialog.getByRole('button', { name: 'Redeliver' }).press('Enter');
  await page.getByText('The events of this period are delivered again.').waitFor();
  await until(() => count() > before + 2);
});

test('a webhook is changed, its secret rolled, disabled, enabled and deleted', async () => {
  const page = await openWebhook();
  const fields = section(page, 'Receiver');
  await fields.getByLabel(/^URL/).fill('https://10.0.0.1/hooks');
  await fields.getByRole('button', { name: 'Save' }).click();
  await fields.getByText('must have a public address').waitFor();
  await fields.getByLabel(/^URL/).fill(`${receiver.url}/changed`);
  await fields.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('heading', { name: `${receiver.url}/changed`, level: 1 }).waitFor();

  await page.getByRole('button', { name: 'Roll secret' }).click();
  const dialog = page.getByRole('dialog', { name: 'Roll signing secret' });
  await dialog.getByRole('button', { name: 'Roll secret' }).click();
  await dialog.getByText(/The previous secret signs until/).waitFor();
  expect(await dialog.getByLabel('Signing secret').inputValue()).toMatch(/^whsec_/);
  await dialog.getByRole('button', { name: 'Done' }).click();

  await page.getByRole('button', { name: 'Disable', exact: true }).click();
  await confirm(page, 'Disable');
  await page.getByText('Disabled by an administrator.').waitFor();
  expect(await page.getByRole('button', { name: 'Redeliver a period' }).isDisabled()).toBe(true);
  await expectLayout(page, 'webhook-disabled');
  await page.getByRole('button', { name: 'Enable', exact: true }).click();
  await page.getByText('Webhook enabled.').waitFor();
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await confirm(page, 'Delete permanently');
  await page.waitForURL('**/settings/webhooks');
  await page.getByText('No webhooks yet').waitFor();
});

test('another URL keeps the event types that another admin has selected since', async () => {
  const page = await openWebhook(['user.invited']);
  const path = `/api${new URL(page.url()).pathname.replace('/settings', '')}`;
  await asAdmin(portal, 'PATCH', path, { types: ['group.created'] });
  const fields = section(page, 'Receiver');
  await fields.getByLabel(/^URL/).fill(`${receiver.url}/moved`);
  await fields.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Changes saved.').waitFor();
  expect(await (await asAdmin(portal, 'GET', path)).json()).toMatchObject({
    url: `${receiver.url}/moved`,
    types: ['group.created'],
  });
});

test('the audit log shows that the URL changed, with both hosts', async () => {
  const id = await addWebhook(portal, receiver.url);
  await asAdmin(portal, 'PATCH', `/api/webhooks/${id}`, { url: 'http://127.0.0.1:9/hooks' });
  const page = await portal.as(portal.admin, `/audit?target_type=webhook&target_id=${id}`);
  await page.getByRole('button', { name: /^Webhook changed/ }).press('Enter');
  const facts = page.getByRole('table').first();
  await facts.getByRole('row', { name: 'Changed URL' }).waitFor();
  await facts.getByRole('row', { name: 'Host 127.0.0.1:9', exact: true }).waitFor();
  await facts.getByRole('row', { name: `Former host ${receiver.host}` }).waitFor();
});

test('a last delivery that cannot be loaded is unknown', async () => {
  await addWebhook(portal, receiver.url);
  const page = await portal.as(portal.admin, '/health');
  await fails(page, '**/deliveries?*');
  await page.goto(`${portal.url}/settings/webhooks`);
  await page.getByRole('row', { name: /All event types Active Unknown/ }).waitFor();
});

test('speaks German', async () => {
  const id = await addWebhook(portal, receiver.url);
  await asAdmin(portal, 'PATCH', '/api/users/me', { locale: 'de' });
  const page = await portal.as(portal.admin, `/settings/webhooks/${id}`, 'phone');
  await page.getByRole('button', { name: 'Ping senden' }).click();
  await page.getByText(/^Ping in \d+ ms zugestellt$/).waitFor();
  await expectLayout(page, 'webhook-german');
  await asAdmin(portal, 'PATCH', '/api/users/me', { locale: null });
});

test('is for administrators', async () => {
  const page = await portal.as(await member(portal, 'hook@example.com'), '/settings/webhooks');
  await page.getByText('Only administrators can view this page').waitFor();
});
