import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { inDatabase } from '../../local/owner-database.js';
import { accept, type Receiver, startReceiver } from '../../webhooks/receiver.js';
import { section } from './admin.js';
import { isShown } from './embedded.js';
import {
  answer,
  button,
  choose,
  dialogOf,
  hasFocus,
  heading,
  openAsAdmin,
  press,
  signIn,
  tabTo,
  sectionHeading,
} from './keyboard.js';
import { addWebhook, asAdmin, invite } from './people.js';
import { Portal } from './portal.js';
import { idOf, viewer } from './viewers.js';

let portal: Portal;
let receiver: Receiver;

beforeAll(async () => {
  receiver = await startReceiver();
  receiver.react(accept);
  portal = await Portal.open();
}, 120_000);
afterEach(() => expect(portal.pageErrors).toEqual([]));
afterAll(async () => {
  await portal.close();
  await receiver.close();
});

test('an admin changes a webhook, rolls its secret, delivers again, disables and deletes it', async () => {
  const id = await addWebhook(portal, receiver.url, ['group.created']);
  const page = await openAsAdmin(portal, `/settings/webhooks/${id}`);
  await asAdmin(portal, 'POST', '/api/groups', { name: 'Delivered by keyboard' });
  const redeliver = page.getByRole('button', { name: /^Redeliver group\.created/ }).first();
  await redeliver.waitFor();
  await press(redeliver);
  await page.getByText('The event is delivered again.').waitFor();
  const period = button(page, 'Redeliver a period');
  await tabTo(period, 'Shift+Tab');
  await page.keyboard.press('Enter');
  await press(dialogOf(page, 'Redeliver a period').getByRole('button', { name: 'Redeliver', exact: true }));
  await dialogOf(page, 'Redeliver a period').waitFor({ state: 'detached' });
  await hasFocus(period);

  const url = section(page, 'Receiver').getByLabel(/^URL/);
  await tabTo(url);
  await page.keyboard.press('End');
  await page.keyboard.type('/changed');
  await page.keyboard.press('Enter');
  await heading(page, `${receiver.url}/changed`).waitFor();
  await hasFocus(url);

  const rolling = button(page, 'Roll secret');
  await press(rolling);
  const roll = dialogOf(page, 'Roll signing secret');
  await press(roll.getByRole('button', { name: 'Roll secret' }));
  await roll.getByLabel('Signing secret').waitFor();
  await press(roll.getByRole('button', { name: 'Done' }));
  await roll.waitFor({ state: 'detached' });
  await hasFocus(rolling);

  await press(button(page, 'Disable'));
  await answer(page, 'Disable this webhook?', 'Disable');
  await hasFocus(button(page, 'Enable'));
  await page.keyboard.press('Enter');
  await page.getByText('Webhook enabled.').waitFor();
  await hasFocus(button(page, 'Disable'));
  await press(button(page, 'Delete'));
  await answer(page, 'Delete this webhook?', 'Delete permanently');
  await hasFocus(heading(page, 'Webhooks'));
}, 120_000);

test('an admin rotates the secret of a service account, disables and deletes it', async () => {
  const response = await asAdmin(portal, 'POST', '/api/service-accounts', { name: 'Rotated' });
  const { id } = (await response.json()) as { id: string };
  const page = await openAsAdmin(portal, `/service-accounts/${id}`);
  await press(button(page, 'Add secret'));
  const adding = dialogOf(page, 'New secret for Rotated');
  await press(adding.getByRole('button', { name: 'Add', exact: true }));
  await adding.getByLabel('Client secret').waitFor();
  await press(adding.getByRole('button', { name: 'Done' }));
  await adding.waitFor({ state: 'detached' });
  // Two secrets are the maximum: the button is disabled.
  await hasFocus(sectionHeading(page, 'Secrets'));
  await press(button(page, 'Revoke secret 1'));
  await answer(page, 'Revoke this secret?', 'Revoke');
  await button(page, 'Revoke secret 2').waitFor({ state: 'detached' });
  await hasFocus(sectionHeading(page, 'Secrets'));

  await press(button(page, 'Disable'));
  await answer(page, /^Disable Rotated/, 'Disable');
  await hasFocus(button(page, 'Enable'));
  await press(button(page, 'Delete'));
  await answer(page, /^Delete Rotated/, 'Delete permanently');
  await hasFocus(heading(page, 'Service accounts'));
}, 120_000);

test('an admin resends and revokes invitations', async () => {
  const { email } = await invite(portal, 'resent@example.com');
  // One of the last minute is not resent.
  const earlier = `UPDATE invitations SET mailed_at = mailed_at - interval '1 hour' WHERE email = $1`;
  await inDatabase(portal.started.dataDir, (query) => query(earlier, [email]));
  const page = await openAsAdmin(portal, '/invitations?q=resent');
  const resending = button(page, `Resend invitation to ${email}`);
  await resending.waitFor();
  await press(resending);
  await page.getByText(`Sending a new invitation to ${email}.`).waitFor();
  await hasFocus(resending);
  const all = button(page, 'Resend all');
  await tabTo(all, 'Shift+Tab');
  await page.keyboard.press('Enter');
  await answer(page, 'Resend all open invitations?', 'Resend all');
  await hasFocus(all);
  await press(button(page, `Revoke invitation for ${email}`));
  await answer(page, `Revoke invitation for ${email}?`, 'Revoke');
  await page.getByRole('row', { name: /resent.*Revoked/ }).waitFor();
  await hasFocus(heading(page, 'Invitations'));
}, 120_000);

test('an editor copies the link of a report, refreshes it, edits it and stops', async () => {
  const editor = await viewer(portal, 'edda@example.com', { Sales: 'editor' });
  const page = await portal.tab(await portal.newContext());
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await signIn(portal, page, editor, `/reports/${await idOf(portal, 'reports', 'Pipeline')}`);
  await isShown(page, 'Pipeline');
  await hasFocus(heading(page, 'Pipeline'));
  await press(button(page, 'Copy link'));
  await hasFocus(button(page, 'Copied'));
  const refresh = button(page, 'Refresh');
  await press(refresh);
  await isShown(page, 'Pipeline');
  await hasFocus(refresh);

  const asking = page.waitForResponse(/leave-editing/);
  await choose(page, button(page, 'More actions'), 'Edit');
  await asking;
  await isShown(page, 'Pipeline');
  const stopping = button(page, 'Stop editing');
  await tabTo(stopping, 'Shift+Tab');
  await page.keyboard.press('Enter');
  await answer(page, 'Discard unsaved changes?', 'Discard');
  await page.waitForURL((url) => !url.search.includes('mode'));
  await hasFocus(heading(page, 'Pipeline'));
}, 120_000);
