import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { accept, type Receiver, startReceiver } from '../../webhooks/receiver.js';
import { isShown } from './embedded.js';
import {
  choose,
  hasFocus,
  heading,
  pick,
  openAsAdmin,
  press,
  search,
  select,
  tabTo,
  type,
} from './keyboard.js';
import { linkFor } from './mail.js';
import { chosen, invite } from './people.js';
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

test('a visitor accepts an invitation, and sets a new password', async () => {
  const { email, link } = await invite(portal, 'noa@example.com');
  const page = await portal.tab(await portal.newContext());
  await page.goto(link);
  await type(page.getByLabel('Your name'), 'Noa Noor');
  await type(page.getByLabel(/^Password/), chosen);
  await page.keyboard.press('Enter');
  await hasFocus(heading(page, /Noa/));

  await choose(page, page.getByRole('button', { name: 'Your account' }), 'Sign out');
  await press(page.getByRole('link', { name: 'Forgot password?' }));
  await hasFocus(heading(page, 'Reset your password'));
  await type(page.getByLabel('Email'), email);
  await page.keyboard.press('Enter');
  await hasFocus(page.getByRole('status').filter({ hasText: 'Check your inbox' }));

  await page.goto(await linkFor(portal, email, '/password-reset'));
  await type(page.getByLabel(/^New password/), 'amber kettle sings low');
  await page.keyboard.press('Enter');
  await page.waitForURL(/sign-in/);
  await hasFocus(page.getByRole('heading', { level: 1 }));
  await type(page.getByRole('textbox', { name: /^Password/ }), 'amber kettle sings low');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Your account' }).waitFor();
});

test('an admin decides requests and changes who sees a report', async () => {
  const sales = await idOf(portal, 'workspaces', 'Sales');
  const ruth = await viewer(portal, 'ruth@example.com');
  const asking = await portal.as(ruth, `/workspaces/${sales}`);
  for (const target of [`/workspaces/${sales}`, `/reports/${await idOf(portal, 'reports', 'Pipeline')}`]) {
    await asking.goto(`${portal.url}${target}`);
    await press(asking.getByRole('button', { name: 'Request access' }));
    await press(asking.getByRole('button', { name: 'Send request' }));
    await asking.getByText('Request sent.').waitFor();
  }

  const page = await openAsAdmin(portal);
  await search(page, 'access req', 'Access requests');
  await press(page.getByRole('row', { name: /ruth.*Pipeline/ }).getByRole('button', { name: /^Approve/ }));
  await page.getByText('now has access.').waitFor();
  await press(page.getByRole('row', { name: /ruth.*Sales/ }).getByRole('button', { name: /^Decline/ }));
  await page.getByRole('row', { name: /ruth/ }).first().waitFor({ state: 'detached' });
  expect(await page.evaluate('document.activeElement === document.body')).toBe(false);

  await search(page, 'pipeline', 'Pipeline');
  await isShown(page, 'Pipeline');
  await choose(page, page.getByRole('button', { name: 'More actions' }), 'Who can see this');
  await hasFocus(heading(page, /Pipeline|Who can see/));
  await page.getByRole('row', { name: /ruth/ }).waitFor();
  await search(page, 'access rev', 'Access review');
  await pick(page.getByRole('combobox', { name: 'Report' }), 'Pipeline');
  // The rows before the filter have this one too, and an export without a filter asks first.
  await page.waitForURL(/[?&]report=/);
  await page.getByRole('row', { name: /ruth@example.com.*Pipeline/ }).waitFor();
  const exporting = page.getByRole('button', { name: 'Export', exact: true });
  await tabTo(exporting, 'Shift+Tab');
  const download = page.waitForEvent('download');
  await page.evaluate('delete window.showSaveFilePicker');
  await press(exporting);
  await hasFocus(page.getByRole('menuitem').first());
  await page.keyboard.press('Enter');
  await download;
});

test('an admin changes the settings', async () => {
  const page = await openAsAdmin(portal);

  await search(page, 'webhooks', 'Webhooks');
  await press(page.getByRole('button', { name: 'Add webhook' }));
  const adding = page.getByRole('dialog', { name: 'Add webhook' });
  await hasFocus(adding.getByLabel(/^URL/));
  await page.keyboard.type(receiver.url);
  await page.keyboard.press('Enter');
  await adding.getByLabel('Signing secret').waitFor();
  await press(adding.getByRole('button', { name: 'Done' }));
  await hasFocus(heading(page, receiver.url));
  const ping = page.getByRole('button', { name: 'Send ping' });
  await press(ping);
  await page.getByText(/^Ping delivered in \d+ ms$/).waitFor();
  await hasFocus(ping);

  await search(page, 'provisioning', 'Provisioning');
  const creating = page.getByRole('button', { name: 'New provisioning token' });
  await press(creating);
  const token = page.getByRole('dialog', { name: 'New provisioning token' });
  await hasFocus(token.getByLabel(/^Name/));
  await page.keyboard.type('Entra');
  await page.keyboard.press('Enter');
  await token.getByLabel('Token', { exact: true }).waitFor();
  await press(token.getByRole('button', { name: 'Done' }));
  await hasFocus(creating);

  await search(page, 'branding', 'Branding');
  await type(page.getByLabel('Product name'), 'Contoso Reports');
  await page.keyboard.press('Enter');
  await page.getByText('Branding saved').waitFor();
  await page.getByRole('banner').getByText('Contoso Reports').waitFor();
  await hasFocus(page.getByLabel('Product name'));
});

test('an admin reads the audit log and the figures, and invites a list', async () => {
  const page = await openAsAdmin(portal);

  await search(page, 'audit', 'Audit', 'Audit log');
  await select(page.getByRole('combobox', { name: 'Action' }), 'Signed in');
  const event = page.getByRole('button', { name: /^Signed in/ }).first();
  await press(event);
  await page.getByRole('table').first().getByText('127.0.0.1').waitFor();
  await hasFocus(event);

  await search(page, 'analytics', 'Analytics');
  await select(page.getByRole('combobox', { name: 'Period' }), 'Last 90 days');
  await page.getByRole('img', { name: /^Chart: Views by week/ }).waitFor();
  await press(page.getByRole('main').getByRole('link', { name: 'Adoption', exact: true }));
  await hasFocus(heading(page, 'Adoption'));

  await search(page, 'invitations', 'Invitations');
  await press(page.getByRole('link', { name: 'Bulk invite' }));
  await hasFocus(heading(page, 'Bulk invite'));
  await type(page.getByRole('textbox', { name: 'Email addresses' }), 'list-1@example.com');
  await page.keyboard.press('Enter');
  await page.keyboard.type('list-2@example.com');
  await press(page.getByRole('button', { name: 'Add workspace' }));
  await hasFocus(page.getByRole('combobox', { name: 'Workspace' }));
  await pick(page.getByRole('combobox', { name: 'Workspace' }), 'Sales');
  await press(page.getByRole('button', { name: 'Invite 2 users' }));
  await hasFocus(page.getByRole('group', { name: 'Invitation progress' }));
  await page.getByText(/^Completed: 2 invited/).waitFor();
  await press(page.getByRole('link', { name: 'View invitations' }));
  await hasFocus(heading(page, 'Invitations'));
});
