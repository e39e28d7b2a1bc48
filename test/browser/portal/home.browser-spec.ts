import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { section } from './admin.js';
import { isShown } from './embedded.js';
import { cutButtons, smallTargets } from './geometry.js';
import { expectLayout } from './looks.js';
import { Portal, type Width } from './portal.js';
import { idOf, viewer } from './viewers.js';

let portal: Portal;
let ana: { email: string; password: string };

beforeAll(async () => {
  portal = await Portal.open();
  ana = await viewer(portal, 'ana@example.com', { Sales: 'viewer', Finance: 'viewer' });
}, 120_000);
afterEach(() => expect(portal.pageErrors).toEqual([]));
afterAll(() => portal.close());

const star = (page: Page, report: string) => page.getByRole('button', { name: `Favourite: ${report}` });

test.each<Width>(['phone', 'desktop'])(
  'a person without access reads what to do next (%s)',
  async (width) => {
    const page = await portal.as(await viewer(portal, `nobody-${width}@example.com`), '/', width);
    await page.getByRole('heading', { name: "You don't have access to any workspaces yet" }).waitFor();
    await section(page, 'Favourites').getByText('Select the star of a report').waitFor();
    await section(page, 'Recently opened').getByText('Reports that you open appear here.').waitFor();
    expect(await page.title()).toBe('Home · Vitrine');
    await expectLayout(page, `home-empty-${width}`);
  },
);

test.each<Width>(['phone', 'desktop'])(
  'shows favourites, what was opened last, and workspaces (%s)',
  async (width) => {
    const page = await portal.as(ana, `/reports/${await idOf(portal, 'reports', 'Revenue overview')}`, width);
    await isShown(page, 'Revenue overview');
    await page.goto(`${portal.url}/reports`);
    await star(page, 'Cash flow').and(page.locator(':enabled')).waitFor();
    if ((await star(page, 'Cash flow').getAttribute('aria-pressed')) === 'false')
      await star(page, 'Cash flow').click();
    await page.goto(`${portal.url}/`);
    await page.getByRole('heading', { name: /^Good (morning|afternoon|evening), ana/i, level: 1 }).waitFor();
    await section(page, 'Favourites').getByRole('link', { name: 'Cash flow' }).waitFor();
    await section(page, 'Recently opened').getByRole('link', { name: 'Revenue overview' }).waitFor();
    await section(page, 'Workspaces').getByText('5 reports').waitFor();
    expect(await smallTargets(page)).toEqual([]);
    expect(await cutButtons(page)).toEqual([]);
    await expectLayout(page, `home-${width}`);
    await section(page, 'Favourites').getByRole('link', { name: 'Cash flow' }).click();
    await isShown(page, 'Cash flow');
  },
);

test('a favourite is added and removed by keyboard, and listed', async () => {
  const page = await portal.as(ana, '/favourites');
  const ben = await viewer(portal, 'ben@example.com', { Sales: 'viewer' });
  const other = await portal.as(ben, '/favourites');
  await other.getByRole('heading', { name: 'No favourites yet' }).waitFor();
  await expectLayout(other, 'favourites-empty');
  await other.getByRole('link', { name: 'Browse reports' }).click();
  await star(other, 'Pipeline').press('Enter');
  await star(other, 'Pipeline').and(other.locator('[aria-pressed=true]')).waitFor();
  await other.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Favourites' }).click();
  await other.getByRole('row', { name: /Pipeline.*Sales/ }).waitFor();
  await expectLayout(other, 'favourites');
  await star(other, 'Pipeline').press('Enter');
  await other.getByRole('heading', { name: 'No favourites yet' }).waitFor();
  // The favourites of one person are not those of another.
  expect(await star(page, 'Pipeline').count()).toBe(0);
});

test.each([
  ['', '**/api/reports/*/favourite'],
  [', also without a reload', /\/favourites?$/],
])('a favourite that cannot be saved is taken back%s', async (_, failing) => {
  const page = await portal.as(ana, '/reports');
  await star(page, 'Pipeline').and(page.locator('[aria-pressed=false]')).waitFor();
  await page.route(failing, (route) =>
    route.fulfill({
      status: 503,
      json: { status: 503, code: 'database_unavailable', title: '', detail: '' },
    }),
  );
  await star(page, 'Pipeline').click();
  await page.getByRole('alert').first().waitFor();
  await star(page, 'Pipeline').and(page.locator('[aria-pressed=false]')).waitFor();
});

/** Makes the previous visit end three days ago; a report changed since. */
async function afterThreeDays(page: Page): Promise<void> {
  await page.evaluate(`
    const key = Object.keys(localStorage).find((each) => each.startsWith('vitrine.visit.'));
    localStorage.setItem(key, JSON.stringify({ previous: null, seen: new Date(Date.now() - 3 * 86400e3).toISOString() }));
  `);
  await page.route(/\/api\/reports\?.*sort=-updated_at/, async (route) => {
    const response = await route.fetch();
    const { reports } = (await response.json()) as { reports: { name: string }[] };
    const changedAt = (name: string) => new Date(name === 'Pipeline' ? Date.now() : 0).toISOString();
    const dated = reports.map((report) => ({ ...report, updated_at: changedAt(report.name) }));
    await route.fulfill({ response, json: { reports: dated } });
  });
}

const changedReports = (page: Page) => section(page, 'New or changed since your last visit 3 days ago');

test('reports that changed since the last visit are listed', async () => {
  const page = await portal.as(ana);
  await page.getByRole('heading', { name: /^Good .*, ana/i, level: 1 }).waitFor();
  await section(page, 'Workspaces').getByRole('link', { name: 'Sales' }).waitFor();
  expect(await page.getByRole('heading', { name: /^New or changed/ }).count()).toBe(0);
  await afterThreeDays(page);
  for (const visit of ['the first after the break', 'the second']) {
    await page.reload();
    const changed = changedReports(page);
    await changed.getByRole('link', { name: 'Pipeline' }).waitFor();
    expect([visit, await changed.getByRole('listitem').count()]).toEqual([visit, 1]);
  }
  await page.unrouteAll({ behavior: 'wait' });
});

test('a visit lasts while a page is read', async () => {
  const page = await portal.as(ana);
  await section(page, 'Workspaces').getByRole('link', { name: 'Sales' }).waitFor();
  await afterThreeDays(page);
  await page.clock.install();
  await page.reload();
  await changedReports(page).getByRole('link', { name: 'Pipeline' }).waitFor();
  const pages = page.getByRole('navigation', { name: 'Pages' });
  await pages.getByRole('link', { name: 'Workspaces' }).click();
  await page.getByRole('heading', { name: 'Workspaces', level: 1 }).waitFor();
  for (let minutes = 0; minutes < 35; minutes += 5) await page.clock.fastForward('05:00');
  await pages.getByRole('link', { name: 'Home' }).click();
  await changedReports(page).getByRole('link', { name: 'Pipeline' }).waitFor();
  await page.unrouteAll({ behavior: 'wait' });
});

test('the checklist of an administrator is dismissed for good', async () => {
  const page = await portal.as(portal.admin);
  const checklist = section(page, 'Get started');
  await checklist.getByRole('button', { name: 'Dismiss' }).press('Enter');
  await checklist.waitFor({ state: 'detached' });
  await Promise.all([page.waitForResponse('**/api/settings/onboarding'), page.reload()]);
  await section(page, 'Workspaces').getByRole('link', { name: 'Sales' }).waitFor();
  expect(await checklist.count()).toBe(0);
});
