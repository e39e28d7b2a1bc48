import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { confirm, failsOnce } from './admin.js';
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
  people = `${sales}?tab=people`;
  await member(portal, 'mina@example.com');
}, 120_000);
afterEach(() => expect(portal.pageErrors).toEqual([]));
afterAll(() => portal.close());

const row = (page: Page, name: RegExp) => page.getByRole('row', { name });

describe('the members of a workspace', () => {
  test.each<Width>(['phone', 'desktop'])('are listed with role and expiry (%s)', async (width) => {
    const page = await portal.as(portal.admin, people, width);
    await row(page, /Mina Member mina@example.com Viewer by hand never/).waitFor();
    await expectLayout(page, `members-${width}`);
    await page.getByRole('searchbox', { name: 'Search members' }).fill('nobody like that');
    await page.getByText('No member has “nobody like that” in name or e-mail').waitFor();
  });

  test('none: the page shows an empty state', async () => {
    const id = await idOf(portal, 'workspaces', 'New region');
    const page = await portal.as(portal.admin, `/workspaces/${id}?tab=people`);
    await page.getByRole('heading', { name: 'Nobody sees this workspace yet' }).waitFor();
    await expectLayout(page, 'members-none');
  });

  test('that cannot be loaded can be retried', async () => {
    const page = await portal.as(portal.admin, sales);
    await failsOnce(page, '**/members?*', () => page.getByRole('tab', { name: 'People' }).click());
    await row(page, /mina/).waitFor();
  });
});

test.each<Width>(['phone', 'desktop'])('are added, changed and removed by an admin (%s)', async (width) => {
  const email = `added-${width}@example.com`;
  await viewer(portal, email);
  const page = await portal.as(portal.admin, people, width);
  await page.getByRole('button', { name: 'Add somebody' }).click();
  const dialog = page.getByRole('dialog');
  const person = dialog.getByRole('combobox', { name: 'Person' });
  await person.fill(email);
  await page.getByRole('option').first().filter({ hasText: email }).waitFor();
  await person.press('ArrowDown');
  await person.press('Enter');
  await expectLayout(page, `member-add-${width}`);
  await confirm(page, 'Give access');
  await row(page, new RegExp(`${email} Viewer by hand never`)).waitFor();
  const actions = row(page, new RegExp(email));
  await actions.getByRole('button', { name: /^Change/ }).press('Enter');
  await dialog.getByRole('combobox', { name: 'Role' }).click();
  await page.getByRole('option', { name: /^Editor/ }).click();
  await dialog.getByLabel('Ends (optional)').fill('2099-01-31');
  await confirm(page, 'Save');
  await row(page, new RegExp(`${email} Editor by hand in`)).waitFor();
  await actions.getByRole('button', { name: /^Take/ }).press('Enter');
  await confirm(page, 'Take away');
  await actions.waitFor({ state: 'detached' });
});

test('are invited by a manager, who is warned before leaving the workspace', async () => {
  const manager = await viewer(portal, 'mia@example.com', { Sales: 'manager', Finance: 'viewer' });
  const page = await portal.as(manager, people);
  await row(page, /mia@example.com Manager/)
    .getByText('you', { exact: true })
    .waitFor();
  expect(await page.getByRole('button', { name: 'Add somebody' }).count()).toBe(0);
  await page.getByRole('button', { name: 'Invite by mail' }).click();
  const dialog = page.getByRole('dialog', { name: 'Invite somebody' });
  await dialog.getByLabel(/^E-mail/).fill('guest@example.com');
  expect(await chosenIn(dialog.getByRole('combobox', { name: 'Workspace' }))).toBe('Sales');
  await expectLayout(page, 'members-invite');
  await dialog.getByRole('button', { name: 'Invite', exact: true }).click();
  await dialog.getByText('guest@example.com: Invited').waitFor();
  await dialog.getByRole('button', { name: 'Done' }).click();
  await row(page, /mia@example.com/)
    .getByRole('button', { name: /^Take/ })
    .click();
  await page.getByText('This is your own access').waitFor();
  await confirm(page, 'Take away');
  await page.getByText('There is no such workspace for you').waitFor();
});
