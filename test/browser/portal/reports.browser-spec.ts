import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { violationsByScheme, chosenIn, fitsWindow, Portal, type Width } from './portal.js';
import { viewer } from './viewers.js';

let portal: Portal;

beforeAll(async () => {
  portal = await Portal.open();
}, 120_000);
afterEach(() => expect(portal.pageErrors).toEqual([]));
afterAll(() => portal.close());

const names = (page: Page) => page.getByRole('row').locator('a[href*="/reports/"]');
const search = (page: Page, name: string) => new URL(page.url()).searchParams.get(name);

test.each<Width>(['phone', 'desktop'])('reports are listed with their workspace (%s)', async (width) => {
  const page = await portal.as(portal.admin, '/reports', width);
  await page.getByText('22 reports').waitFor();
  await page.getByRole('row', { name: /Invoice register.*Paginated.*Finance/ }).waitFor();
  expect(
    await page
      .getByRole('row', { name: /Cash flow/ })
      .getByText('Paginated')
      .count(),
  ).toBe(0);
  expect(await violationsByScheme(page, `reports-${width}`)).toEqual([]);
  expect(await fitsWindow(page)).toBe(true);
});

test('search, workspace and order are in the URL and kept on reload', async () => {
  const page = await portal.as(portal.admin, '/reports');
  await page.getByRole('searchbox', { name: 'Search reports' }).fill('m');
  await page.getByRole('combobox', { name: 'Workspace' }).fill('sal');
  await page.getByRole('option', { name: 'Sales' }).click();
  await page.getByRole('button', { name: 'Name' }).click();
  const expected = ['Product mix', 'My region', 'My customers'];
  const settled = () => names(page).first().filter({ hasText: 'Product mix' }).waitFor();
  await settled();
  expect(await names(page).allInnerTexts()).toEqual(expected);
  expect([search(page, 'q'), search(page, 'sort')]).toEqual(['m', '-name']);
  await page.reload();
  await settled();
  expect(await names(page).allInnerTexts()).toEqual(expected);
  expect(await chosenIn(page.getByRole('combobox', { name: 'Workspace' }))).toBe('Sales');
  await page.locator('[aria-label="Clear Workspace"]').click();
  await page.getByRole('link', { name: 'Month-end statement' }).waitFor();
});

test('a link to the same page clears the search field, too', async () => {
  const page = await portal.as(portal.admin, '/reports');
  const field = page.getByRole('searchbox', { name: 'Search reports' });
  await field.fill('pipe');
  await page.getByText('1 report', { exact: true }).waitFor();
  await page.getByRole('link', { name: 'Reports', exact: true }).click();
  await page.getByText('22 reports').waitFor();
  expect(await field.inputValue()).toBe('');
});

test('a report opens from the list, and Back leads to the same search', async () => {
  const page = await portal.as(portal.admin, '/reports');
  await page.getByRole('searchbox').fill('pipe');
  await page.getByText('1 report', { exact: true }).waitFor();
  await page.getByRole('link', { name: 'Pipeline' }).click();
  await page.getByRole('heading', { name: 'Pipeline', level: 1 }).waitFor();
  await page.goBack();
  await page.getByText('1 report', { exact: true }).waitFor();
  expect(await page.getByRole('searchbox').inputValue()).toBe('pipe');
});

test('a long list loads more rows on request', async () => {
  const page = await portal.tab(await portal.newContext());
  // The service's own pages, only shorter ones.
  await page.route('**/api/reports?*', (route) => {
    return route.continue({ url: route.request().url().replace('limit=50', 'limit=8') });
  });
  await portal.signIn(page, portal.admin, '/reports');
  await page.getByText('22 reports', { exact: true }).waitFor();
  await page.getByText('Showing 8 of 22').waitFor();
  await page.getByRole('button', { name: 'Show more' }).press('Enter');
  await page.getByText('Showing 16 of 22').waitFor();
  await page.getByRole('button', { name: 'Show more' }).click();
  await page.getByText('Showing 22 of 22').waitFor();
  expect(await page.getByRole('button', { name: 'Show more' }).count()).toBe(0);
  expect(new Set(await names(page).allInnerTexts()).size).toBe(22);
});

test('an empty search result differs from an empty list', async () => {
  const page = await portal.as(portal.admin, '/reports?q=zebra');
  await page.getByText('No reports match “zebra”').waitFor();
  const ben = await portal.as(await viewer(portal, 'ben@vitrine.example'), '/reports');
  await ben.getByRole('heading', { name: "You don't have access to any reports yet" }).waitFor();
});

test('a user sees the reports of their workspaces', async () => {
  const ada = await viewer(portal, 'ada@vitrine.example', { Finance: 'viewer' });
  const page = await portal.as(ada, '/reports');
  await page.getByText('5 reports').waitFor();
  await page.getByRole('row', { name: /Cash flow.*Finance/ }).waitFor();
});

test('a failure shows the reason, and a retry loads the list', async () => {
  const page = await portal.tab(await portal.newContext());
  const problem = { type: 'about:blank', title: '', status: 503, detail: '', code: 'database_unavailable' };
  await page.route('**/api/reports?*', (route) => {
    return route.fulfill({ status: 503, json: { ...problem, instance: '/', request_id: 'r-1' } });
  });
  await portal.signIn(page, portal.admin, '/reports');
  const alert = page.getByRole('alert');
  await alert.getByText('The database is temporarily unavailable').waitFor();
  await alert.getByText('database_unavailable · r-1').waitFor();
  await page.unroute('**/api/reports?*');
  await alert.getByRole('button', { name: 'Try again' }).click();
  await page.getByText('22 reports').waitFor();
});

test('the time of a sync is never shown as the age of the data', async () => {
  const page = await portal.tab(await portal.newContext());
  const synced = new Date(Date.now() - 13 * 60_000).toISOString();
  const unknown = { updated_at: synced, data_as_of: null, refresh_status: null, refresh_failed_since: null };
  await page.route('**/api/reports?*', async (route) => {
    const response = await route.fetch();
    const { reports } = (await response.json()) as { reports: object[] };
    await route.fulfill({ response, json: { reports: reports.map((each) => ({ ...each, ...unknown })) } });
  });
  await portal.signIn(page, portal.admin, '/reports');
  const pipeline = page.getByRole('row', { name: /Pipeline/ });
  await pipeline.waitFor();
  expect((await pipeline.getByRole('cell').allInnerTexts()).slice(1, 3)).toEqual(['Sales', '']);
  expect(await page.getByText(/minutes ago|Updated/).count()).toBe(0);
  await page.unrouteAll({ behavior: 'wait' });
});

test('the age of the data has a date from the next day on, while the page stays open', async () => {
  const page = await portal.as(portal.admin, '/health');
  await page.clock.install({ time: new Date('2026-11-24T12:00:00Z') });
  const today = {
    data_as_of: '2026-11-24T10:10:00Z',
    refresh_status: 'succeeded',
    refresh_failed_since: null,
  };
  await page.route('**/api/reports?*', async (route) => {
    const response = await route.fetch();
    const { reports } = (await response.json()) as { reports: object[] };
    await route.fulfill({ response, json: { reports: reports.map((each) => ({ ...each, ...today })) } });
  });
  await page.goto(`${portal.url}/reports`);
  const age = page
    .getByRole('row', { name: /Pipeline/ })
    .getByText('Data as of')
    .filter({ visible: true });
  await age.filter({ hasText: /of \d+:10/ }).waitFor();
  await page.clock.fastForward('24:00:00');
  await age.filter({ hasText: /of Nov 24/ }).waitFor();
  await page.unrouteAll({ behavior: 'wait' });
});
