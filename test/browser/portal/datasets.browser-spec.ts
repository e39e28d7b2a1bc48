import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { failsOnce, pick, returnToTab } from './admin.js';
import { expectLayout } from './looks.js';
import { asAdmin, member } from './people.js';
import { Portal, type Width } from './portal.js';
import { viewer } from './viewers.js';

let portal: Portal;

beforeAll(async () => {
  portal = await Portal.open();
  await member(portal, 'mina@example.com');
}, 120_000);
afterEach(() => expect(portal.pageErrors).toEqual([]));
afterAll(() => portal.close());

const row = (page: Page, name: RegExp) => page.getByRole('row', { name });
const drawer = (page: Page) => page.getByRole('dialog', { name: 'Row-level security' });

test.each<Width>(['phone', 'desktop'])(
  'datasets are listed with the identity that they require (%s)',
  async (width) => {
    const page = await portal.as(portal.admin, '/datasets', width);
    await row(page, /Sales by region Sales User and roles Set \{\{email\}\} · Manager/).waitFor();
    await row(page, /General ledger Finance Nothing Not required/).waitFor();
    await expectLayout(page, `datasets-${width}`);
  },
);

test('search, workspace and policy filters apply to the list and are in the URL', async () => {
  const page = await portal.as(portal.admin, '/datasets');
  await page.getByRole('searchbox', { name: 'Search datasets' }).fill('sales');
  await row(page, /General ledger/).waitFor({ state: 'detached' });
  await page.getByRole('combobox', { name: 'Policy' }).click();
  await page.getByRole('option', { name: 'Set' }).click();
  await row(page, /Sales by representative/).waitFor();
  await pick(page, 'Workspace', 'Finance', page);
  await page.getByText('No datasets match your filters').waitFor();
  await page.reload();
  await page.getByText('No datasets match your filters').waitFor();
  expect(await page.getByRole('combobox', { name: 'Policy' }).inputValue()).toBe('Set');
});

describe('links between datasets and reports keep the names of the workspaces', () => {
  const isOnDatasets = (page: Page) => row(page, /General ledger Finance/).waitFor();
  const isOnReports = (page: Page) => row(page, /Cash flow.*Finance/).waitFor();
  const follow = async (page: Page, ...names: string[]) => {
    const pages = page.getByRole('navigation', { name: 'Pages', exact: true });
    for (const name of names) await pages.getByRole('link', { name, exact: true }).click();
  };

  test('from datasets', async () => {
    const page = await portal.as(portal.admin, '/datasets');
    await isOnDatasets(page);
    await follow(page, 'Back to reports', 'Reports');
    await isOnReports(page);
    await follow(page, 'Admin', 'Datasets');
    await isOnDatasets(page);
  });

  test('from reports', async () => {
    const page = await portal.as(portal.admin, '/reports');
    await isOnReports(page);
    await follow(page, 'Admin', 'Datasets');
    await isOnDatasets(page);
  });
});

test.each<Width>(['phone', 'desktop'])('a policy is tested for a user (%s)', async (width) => {
  const page = await portal.as(portal.admin, '/datasets?q=region', width);
  await page.getByRole('link', { name: 'Sales by region' }).press('Enter');
  await drawer(page).getByText('This dataset has row-level security with roles').waitFor();
  await drawer(page).getByRole('combobox', { name: 'User' }).fill('mina');
  await page.getByRole('option').first().filter({ hasText: 'Mina Member' }).click();
  await drawer(page).getByText('Effective identity: Passed').waitFor();
  await drawer(page).getByText('Embed token: Passed').waitFor();
  await drawer(page)
    .getByText(/mina@example.com/)
    .last()
    .waitFor();
  await expectLayout(page, `dataset-preview-${width}`);
  await page.keyboard.press('Escape');
  await drawer(page).waitFor({ state: 'detached' });
  expect(new URL(page.url()).search).toBe('?q=region');
});

test('a policy is changed, rejected, removed and set again', async () => {
  const page = await portal.as(portal.admin, '/datasets?q=representative');
  await page.getByRole('link', { name: 'Sales by representative' }).click();
  const username = drawer(page).getByLabel('Username', { exact: false }).first();
  await username.fill('{{nobody}}');
  await drawer(page).getByRole('button', { name: 'Save' }).click();
  await drawer(page).locator('[aria-invalid=true]').waitFor();
  await expectLayout(page, 'dataset-refused');
  await username.fill('');
  await drawer(page).getByRole('button', { name: 'Insert {{id}} into the username' }).click();
  await drawer(page).getByText('You have unsaved changes.').waitFor();
  await drawer(page).getByRole('button', { name: 'Save' }).click();
  await page.getByText('Policy saved.').waitFor();
  await drawer(page)
    .getByRole('button', { name: /^Remove/ })
    .click();
  await page.getByRole('dialog').last().waitFor();
  await expectLayout(page, 'dataset-remove');
  await page
    .getByRole('dialog')
    .last()
    .getByRole('button', { name: /^Remove/ })
    .click();
  await page.getByText('Policy removed.').waitFor();
  await page.keyboard.press('Escape');
  await page.getByText('1 dataset has row-level security without a policy').waitFor();
  await expectLayout(page, 'datasets-missing');
  await page.getByRole('button', { name: 'Show datasets' }).click();
  await page.waitForURL(/policy=missing/);
  await row(page, /Sales by representative.*Missing/).waitFor();
});

test('a list that cannot be loaded shows the reason, and members have no access', async () => {
  const page = await portal.as(portal.admin, '/health');
  const go = () => page.getByRole('link', { name: 'Datasets' }).click();
  await failsOnce(page, '**/api/datasets?*', go);
  await row(page, /General ledger/).waitFor();
  await page.goto(`${portal.url}/datasets?dataset=01890a5d-ac96-774b-bcce-b302099a8057`);
  await drawer(page).getByRole('alert').waitFor();
  const ben = await portal.as(await viewer(portal, 'ben@vitrine.example'), '/datasets');
  await ben.getByText('Only administrators can view this page').waitFor();
});

test('a policy that someone else changes keeps what is typed, and says so until it is saved', async () => {
  const page = await portal.as(portal.admin, '/datasets?q=ledger');
  await page.clock.install();
  await page.getByRole('link', { name: 'General ledger' }).click();
  const username = drawer(page).getByLabel('Username', { exact: false }).first();
  await username.fill('{{id}}');
  const id = new URL(page.url()).searchParams.get('dataset');
  const path = `/api/datasets/${id}/identity-policy`;
  const changed = await asAdmin(portal, 'PUT', path, { username: '{{email}}', roles: [] });
  expect(changed.status).toBe(200);
  await returnToTab(page);
  const notice = drawer(page).getByText('The policy was changed by someone else');
  await notice.waitFor();
  expect(await username.inputValue()).toBe('{{id}}');
  await drawer(page).getByRole('button', { name: 'Save' }).click();
  await page.getByText('Policy saved.').waitFor();
  await notice.waitFor({ state: 'detached' });
  expect(await username.inputValue()).toBe('{{id}}');
  await drawer(page).getByText('You have unsaved changes.').waitFor({ state: 'detached' });
});
