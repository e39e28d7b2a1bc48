import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { confirm, pathOfUser, pick, section } from './admin.js';
import { expectLayout } from './looks.js';
import { member } from './people.js';
import { chosenIn, Portal, type Width } from './portal.js';
import { createGroup } from './viewers.js';

let portal: Portal;

beforeAll(async () => {
  portal = await Portal.open();
}, 120_000);
afterEach(() => expect(portal.pageErrors).toEqual([]));
afterAll(() => portal.close());

/** As the admin, at a tab of the page of somebody who sees Sales. */
async function openMember(email: string, tab: string, width?: Width): Promise<Page> {
  const person = await member(portal, email);
  const page = await portal.as(portal.admin, `${await pathOfUser(portal, person.email)}?tab=${tab}`, width);
  await page.getByRole('heading', { name: 'Mina Member', level: 1 }).waitFor();
  return page;
}

const workspaces = (page: Page) => section(page, 'Access');

describe('workspaces', () => {
  test.each<Width>(['phone', 'desktop'])('are shown (%s)', async (width) => {
    const page = await openMember(`shown-${width}@example.com`, 'access', width);
    await workspaces(page)
      .getByRole('row', { name: /Sales Viewer Direct Manual/ })
      .waitFor();
    await expectLayout(page, `user-access-${width}`);
  });

  test('are granted until a date, changed and removed', async () => {
    const page = await openMember('given@example.com', 'access');
    await workspaces(page).getByRole('button', { name: 'Grant workspace access' }).click();
    const dialog = page.getByRole('dialog', { name: 'Grant access to Mina Member' });
    expect(await dialog.getByRole('button', { name: 'Grant access' }).isDisabled()).toBe(true);
    await pick(dialog, 'Workspace', 'Finance', page);
    await dialog.getByLabel('Expires (optional)').fill('2099-01-31');
    await expectLayout(page, 'user-grant');
    await dialog.getByRole('button', { name: 'Grant access' }).click();
    await workspaces(page)
      .getByRole('row', { name: /Finance Viewer Direct Manual Jan 31, 2099/ })
      .waitFor();
    await page.getByRole('button', { name: 'Edit Finance' }).press('Enter');
    await page.getByRole('dialog').getByRole('combobox', { name: 'Role' }).click();
    await page.getByRole('option', { name: /^Manager/ }).click();
    await page.getByRole('dialog').getByLabel('Expires (optional)').fill('');
    await confirm(page, 'Save');
    await workspaces(page)
      .getByRole('row', { name: /Finance Manager Direct Manual Never/ })
      .waitFor();
    await page.getByRole('button', { name: 'Remove Finance' }).press('Enter');
    await expectLayout(page, 'user-remove-grant');
    await confirm(page, 'Remove');
    await page.getByText('Removed Mina Member from Finance.').waitFor();
    await page.getByRole('button', { name: 'Remove Sales' }).click();
    await confirm(page, 'Remove');
    await workspaces(page).getByText('No access granted').waitFor();
  });
});

test.each<Width>(['phone', 'desktop'])('the groups of a user are shown (%s)', async (width) => {
  const { email } = await member(portal, `grouped-${width}@example.com`);
  await createGroup(portal, `Inner ${width}`, [email]);
  await createGroup(portal, `Outer ${width}`, [], [`Inner ${width}`]);
  const page = await portal.as(portal.admin, `${await pathOfUser(portal, email)}?tab=access`, width);
  const groups = section(page, 'Groups');
  await groups.getByRole('row', { name: new RegExp(`Inner ${width} Direct Manual`) }).waitFor();
  await groups.getByRole('row', { name: new RegExp(`Outer ${width} Inner ${width} Manual`) }).waitFor();
  await expectLayout(page, `user-groups-${width}`);
  await groups.getByRole('link', { name: `Outer ${width}` }).press('Enter');
  await page.getByRole('heading', { name: `Outer ${width}`, level: 1 }).waitFor();
});

describe("the explanation of a user's access to a report", () => {
  test.each<Width>(['phone', 'desktop'])('is shown, and access can be granted there (%s)', async (width) => {
    const page = await openMember(`why-${width}@example.com`, 'access', width);
    const explain = section(page, 'Check access');
    await pick(explain, 'Report', 'Revenue overview', page);
    await explain.getByText('Mina Member can view this report').waitFor();
    await explain.getByText('Viewer on the workspace Sales · Granted directly').waitFor();
    await page.reload();
    await explain.getByText('Mina Member can view this report').waitFor();
    await pick(explain, 'Report', 'Cash flow', page);
    await explain.getByText("Mina Member can't view this report").waitFor();
    await explain.scrollIntoViewIfNeeded();
    await expectLayout(page, `user-explain-${width}`);
    await explain.getByText('No grant on this report or its workspace.').waitFor();
    await explain.getByRole('button', { name: 'Grant workspace access' }).click();
    await confirm(page, 'Grant access');
    await explain.getByText('Mina Member can view this report').waitFor();
  });

  test("links to the user's embed tokens", async () => {
    const page = await openMember('tokens@example.com', 'access');
    await page.getByRole('link', { name: 'View embed tokens' }).click();
    await page.getByRole('tab', { name: 'Issued tokens', selected: true }).waitFor();
    await page.getByText('No tokens match your filters').waitFor();
    expect(await chosenIn(page.getByRole('combobox', { name: 'User' }))).toBe('Mina Member');
  });
});

describe('the sign-in tab', () => {
  test.each<Width>(['phone', 'desktop'])('lists and ends sessions (%s)', async (width) => {
    const email = `session-${width}@example.com`;
    const page = await openMember(email, 'sign-in', width);
    await section(page, 'Active sessions')
      .getByRole('row', { name: /127\.0\.0\.1/ })
      .waitFor();
    await section(page, 'Linked identities').getByText('No linked identities.').waitFor();
    await expectLayout(page, `user-sign-in-${width}`);
    await page.getByRole('button', { name: 'Sign out everywhere' }).click();
    await page.getByRole('dialog', { name: 'Sign out Mina Member everywhere?' }).waitFor();
    await confirm(page, 'Sign out everywhere');
    await section(page, 'Active sessions').getByText('No active sessions.').waitFor();
  });

  test('links and unlinks an identity', async () => {
    const page = await openMember('linked@example.com', 'sign-in');
    await page.getByRole('button', { name: 'Link identity' }).click();
    const dialog = page.getByRole('dialog', { name: 'Link identity to Mina Member' });
    await dialog.getByLabel(/^Tenant ID/).fill('no tenant');
    await dialog.getByLabel(/^Object ID/).fill('00000000-0000-4000-8000-000000000077');
    await dialog.getByLabel(/^Object ID/).press('Enter');
    await dialog.getByText(/UUID/i).waitFor();
    await expectLayout(page, 'user-link-identity');
    await dialog.getByLabel(/^Tenant ID/).fill('deadbeef-0000-4000-8000-000000000001');
    await dialog.getByRole('button', { name: 'Link', exact: true }).click();
    await page.getByText('Mina Member can now sign in with this identity.').waitFor();
    await section(page, 'Linked identities').getByRole('button', { name: 'Unlink' }).click();
    await confirm(page, 'Unlink');
    await section(page, 'Linked identities').getByText('No linked identities.').waitFor();
  });
});
