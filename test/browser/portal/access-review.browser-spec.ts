import { readFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { failsOnce, pick } from './admin.js';
import { expectLayout } from './looks.js';
import { asAdmin, member } from './people.js';
import { chosenIn, Portal, type Width } from './portal.js';
import { createGroup, idOf, viewer } from './viewers.js';
import { until } from '../../support/until.js';

let portal: Portal;
let sales: string;
let auditors: string;

beforeAll(async () => {
  portal = await Portal.open();
  sales = await idOf(portal, 'workspaces', 'Sales');
  await member(portal, 'mina@example.com');
  const gus = await viewer(portal, 'gus@example.com');
  auditors = await createGroup(portal, 'Auditors', [gus.email]);
  const finance = await idOf(portal, 'workspaces', 'Finance');
  const granted = await asAdmin(portal, 'PUT', `/api/workspaces/${finance}/grants/groups/${auditors}`, {
    role: 'viewer',
  });
  expect(granted.status).toBe(200);
}, 120_000);
afterEach(() => expect(portal.pageErrors).toEqual([]));
afterAll(() => portal.close());

const row = (page: Page, name: RegExp) => page.getByRole('row', { name });

/** Without the file dialog of the operating system, which a test cannot operate. */
async function openForDownload(path: string): Promise<Page> {
  const page = await portal.tab(await portal.newContext());
  await page.addInitScript('delete window.showSaveFilePicker');
  return portal.signIn(page, portal.admin, path);
}

async function exported(page: Page, format: RegExp): Promise<string> {
  await page.getByRole('button', { name: 'Export', exact: true }).press('Enter');
  const download = page.waitForEvent('download');
  await page.getByRole('menuitem', { name: format }).press('Enter');
  const isWarned = !page.url().includes('=');
  if (isWarned) {
    await page.getByRole('dialog', { name: 'Export access of all users?' }).waitFor();
    await page.getByRole('button', { name: 'Export everything' }).click();
  }
  const text = readFileSync(await (await download).path(), 'utf8');
  await page.getByText('Export complete').waitFor();
  return text;
}

test.each<Width>(['phone', 'desktop'])(
  'shows who has access, and through which groups (%s)',
  async (width) => {
    const page = await portal.as(portal.admin, '/access-review', width);
    await row(page, /mina@example.com Sales Viewer Direct Administrator/).waitFor();
    await row(page, /gus@example.com Finance Viewer Auditors Administrator/).waitFor();
    await row(page, /All workspaces and reports Admin/)
      .first()
      .waitFor();
    await expectLayout(page, `access-review-${width}`);
  },
);

test('is filtered by workspace, report, group and user, in the URL', async () => {
  const page = await portal.as(portal.admin, '/access-review');
  await pick(page, 'Group', 'Auditors', page);
  await row(page, /gus@example.com/).waitFor();
  await row(page, /mina@example.com/).waitFor({ state: 'detached' });
  await page.getByText('1 row', { exact: true }).waitFor();
  await page.reload();
  await row(page, /gus@example.com/).waitFor();
  expect(await chosenIn(page.getByRole('combobox', { name: 'Group' }))).toBe('Auditors');
  await pick(page, 'User or service account', 'Mina Member', page);
  await page.getByText('No access matches your filters').waitFor();
  // Hidden from assistive technology, which deselects the option instead.
  await page.getByLabel('Clear Group').click();
  await row(page, /mina@example.com Sales/).waitFor();
  await pick(page, 'Report', 'Cash flow', page);
  await page.getByText('No access matches your filters').waitFor();
});

test.each<Width>(['phone', 'desktop'])('is sorted and searched, in the URL (%s)', async (width) => {
  const page = await portal.as(portal.admin, '/access-review', width);
  await row(page, /gus@example.com Finance/).waitFor();
  await page.getByRole('button', { name: 'Workspace or report' }).press('Enter');
  await page.waitForURL((url) => url.searchParams.get('sort') === 'resource');
  // The address changes before the header, which the next press reverses.
  await page.locator('th[aria-sort=ascending]').filter({ hasText: 'Workspace or report' }).waitFor();
  const resources = async () => (await page.getByRole('row').allInnerTexts()).join(' ');
  const order = async (first: string, second: string) => {
    const text = await resources();
    return text.indexOf(first) < text.indexOf(second);
  };
  await until(() => order('gus@example.com', 'mina@example.com'));
  await page.getByRole('button', { name: 'Workspace or report' }).press('Enter');
  await page.waitForURL((url) => url.searchParams.get('sort') === '-resource');
  await until(() => order('mina@example.com', 'gus@example.com'));
  await page.getByRole('searchbox', { name: 'Search the review' }).fill('gus audit');
  await page.getByText('1 row', { exact: true }).waitFor();
  await row(page, /gus@example.com Finance/).waitFor();
  await page.reload();
  await page.getByText('1 row', { exact: true }).waitFor();
  await page.getByRole('searchbox', { name: 'Search the review' }).fill('nothing like this');
  await page.getByRole('heading', { name: 'No access matches your search' }).waitFor();
  await expectLayout(page, `access-review-search-${width}`);
});

test.each<Width>(['phone', 'desktop'])(
  'ends a grant of a user by keyboard, and leads to the group for others (%s)',
  async (width) => {
    const lea = await viewer(portal, `lea-${width}@example.com`, { Sales: 'viewer' });
    const page = await portal.as(portal.admin, `/access-review?workspace=${sales}&q=lea-${width}`, width);
    await row(page, /Sales Viewer Direct/)
      .getByRole('button', { name: /^Remove .* from Sales$/ })
      .press('Enter');
    await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).press('Enter');
    await page.getByRole('heading', { name: 'No access matches your search' }).waitFor();
    const reader = await portal.as(lea, `/workspaces/${sales}`);
    await reader.getByText("Workspace not found, or you don't have access").waitFor();
    await page.goto(`${portal.url}/access-review?q=gus`);
    expect(
      await row(page, /gus@example.com/)
        .getByRole('button')
        .count(),
    ).toBe(0);
    await row(page, /gus@example.com/)
      .getByRole('link', { name: 'Auditors' })
      .press('Enter');
    await page.getByRole('heading', { name: 'Auditors', level: 1 }).waitFor();
  },
);

test('is exported as CSV with the filters, and as NDJSON of everything after a warning', async () => {
  const filtered = await exported(await openForDownload(`/access-review?group=${auditors}`), /^CSV/);
  expect(filtered.trim().split('\n')).toHaveLength(2);
  expect(filtered).toContain('gus@example.com');
  const lines = (await exported(await openForDownload('/access-review'), /^NDJSON/)).trim().split('\n');
  const emails = lines.map((line) => (JSON.parse(line) as { user: { email: string } }).user.email);
  expect(emails).toEqual(expect.arrayContaining(['mina@example.com', 'gus@example.com']));
});

test('managers review a workspace of theirs, from its Access tab', async () => {
  const max = await viewer(portal, 'max@example.com', { Sales: 'manager' });
  const page = await portal.as(max, '/access-review');
  await page.getByRole('heading', { name: 'Select a workspace' }).waitFor();
  expect(await page.getByRole('combobox', { name: 'Group' }).count()).toBe(0);
  expect(await page.getByRole('button', { name: 'Export' }).count()).toBe(0);
  await page.goto(`${portal.url}/workspaces/${sales}?tab=access`);
  await page.getByRole('link', { name: 'Review access' }).click();
  await page.getByRole('heading', { name: 'Access review', level: 1 }).waitFor();
  await row(page, /mina@example.com Sales Viewer/).waitFor();
  expect(await row(page, /gus@example.com/).count()).toBe(0);
});

test('that cannot be loaded can be retried', async () => {
  const page = await portal.as(portal.admin, '/users');
  await failsOnce(page, '**/api/access/review*', () =>
    page.getByRole('link', { name: 'Access review' }).click(),
  );
  await row(page, /mina@example.com/).waitFor();
});

test('whose rows break off shows the failure on its page', async () => {
  const page = await portal.as(portal.admin, '/users');
  await page.route('**/api/access/review*', (route) =>
    route.fulfill({ contentType: 'application/x-ndjson', body: '{"user": {"name": "Mi' }),
  );
  await page.getByRole('link', { name: 'Access review' }).click();
  await page.getByRole('alert').getByText('A proxy or a sign-in page of your network').waitFor();
  await page.getByRole('heading', { name: 'Access review', level: 1 }).waitFor();
});
