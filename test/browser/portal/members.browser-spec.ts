import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { confirm, failsOnce, pick } from './admin.js';
import { expectLayout } from './looks.js';
import { member } from './people.js';
import { chosenIn, Portal, type Width } from './portal.js';
import { idOf, viewer } from './viewers.js';

let portal: Portal;
let sales: string;
let people: string;

beforeAll(async () => {
  portal = await Portal.open();
  sales = `/workspaces/${await idOf(portal, 'workspaces', 'Sales')}`;
  people = `${sales}?tab=access`;
  await member(portal, 'mina@example.com');
}, 120_000);
afterEach(() => expect(portal.pageErrors).toEqual([]));
afterAll(() => portal.close());

const row = (page: Page, name: RegExp) => page.getByRole('row', { name });

describe('the members of a workspace', () => {
  test.each<Width>(['phone', 'desktop'])('are listed with role and expiry (%s)', async (width) => {
    const page = await portal.as(portal.admin, people, width);
    await row(page, /Mina Member mina@example.com Viewer Manual Administrator Never/).waitFor();
    await expectLayout(page, `members-${width}`);
    await page.getByRole('searchbox', { name: 'Search members' }).fill('no such name');
    await page.getByText('No members match your search').waitFor();
  });

  test('none: the page shows an empty state', async () => {
    const id = await idOf(portal, 'workspaces', 'New region');
    const page = await portal.as(portal.admin, `/workspaces/${id}?tab=access`);
    await page.getByRole('heading', { name: 'This workspace has no members yet' }).waitFor();
    await expectLayout(page, 'members-none');
  });

  test('that cannot be loaded can be retried', async () => {
    const page = await portal.as(portal.admin, sales);
    await failsOnce(page, '**/grants?*', () => page.getByRole('tab', { name: 'Access' }).click());
    await row(page, /mina/).waitFor();
  });
});

test.each<Width>(['phone', 'desktop'])('are added, changed and removed by an admin (%s)', async (width) => {
  const email = `added-${width}@example.com`;
  await viewer(portal, email);
  const page = await portal.as(portal.admin, people, width);
  await page.getByRole('button', { name: 'Add member' }).click();
  const dialog = page.getByRole('dialog');
  await pick(dialog, 'Users and groups', email, page);
  await expectLayout(page, `member-add-${width}`);
  await confirm(page, 'Grant access');
  await row(page, new RegExp(`${email} Viewer Manual Administrator Never`)).waitFor();
  await dialog.waitFor({ state: 'detached' });
  const actions = row(page, new RegExp(email));
  await actions.getByRole('button', { name: /^Edit/ }).press('Enter');
  await dialog.getByRole('combobox', { name: 'Role' }).click();
  await page.getByRole('option', { name: /^Editor/ }).click();
  await dialog.getByLabel('Expires (optional)').fill('2099-01-31');
  await confirm(page, 'Save');
  await row(page, new RegExp(`${email} Editor Manual Administrator Jan 31, 2099`)).waitFor();
  await actions.getByRole('button', { name: /^Remove/ }).press('Enter');
  await confirm(page, 'Remove');
  await actions.waitFor({ state: 'detached' });
});

test('are invited by a manager, who is warned before leaving the workspace', async () => {
  const manager = await viewer(portal, 'mia@example.com', { Sales: 'manager', Finance: 'viewer' });
  const page = await portal.as(manager, people);
  await row(page, /mia@example.com Manager/)
    .getByText('You', { exact: true })
    .waitFor();
  await page.getByRole('button', { name: 'Invite user' }).click();
  const dialog = page.getByRole('dialog', { name: 'Invite user' });
  await dialog.getByLabel(/^Email/).fill('guest@example.com');
  expect(await chosenIn(dialog.getByRole('combobox', { name: 'Workspace', exact: true }))).toBe('Sales');
  await expectLayout(page, 'members-invite');
  await dialog.getByRole('button', { name: 'Invite', exact: true }).click();
  await dialog.getByText('Invited guest@example.com').waitFor();
  await dialog.getByRole('button', { name: 'Done' }).click();
  await row(page, /mia@example.com/)
    .getByRole('button', { name: /^Remove/ })
    .click();
  await page.getByText("You're removing your own access").waitFor();
  await confirm(page, 'Remove');
  await page.getByText("Workspace not found, or you don't have access").waitFor();
});
