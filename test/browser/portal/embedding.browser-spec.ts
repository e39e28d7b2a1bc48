import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { Page, Route } from 'playwright-core';
import { until, untilPasses } from '../../support/until.js';
import { cancelClosing, returnToTab } from './admin.js';
import { inside, isShown } from './embedded.js';
import { violationsByScheme, fitsWindow, screenshot, Portal, type Width } from './portal.js';
import { idOf, viewer } from './viewers.js';

let portal: Portal;
let revenue: string;

beforeAll(async () => {
  portal = await Portal.open();
  revenue = `/reports/${await idOf(portal, 'reports', 'Revenue overview')}`;
}, 120_000);
afterEach(() => expect(portal.pageErrors).toEqual([]));
afterAll(() => portal.close());

const shownTo = (page: Page) => inside(page).locator('footer');

describe('a report', () => {
  test.each<Width>(['phone', 'desktop'])('is shown in a frame that fits the window (%s)', async (width) => {
    const page = await portal.as(portal.admin, revenue, width);
    await isShown(page, 'Revenue overview');
    expect(await page.title()).toBe('Revenue overview · Vitrine');
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menu').getByText('Revenue by month and product').waitFor();
    await page.keyboard.press('Escape');
    // The frame is at least 500 px high: on a shorter phone the page scrolls to it.
    if (width === 'phone') await page.setViewportSize({ width: 390, height: 844 });
    const { height = 0, y = 0 } = (await page.getByTitle('Report Revenue overview').boundingBox()) ?? {};
    expect(height).toBeGreaterThan(500);
    expect(y + height).toBeLessThanOrEqual(page.viewportSize()?.height ?? 0);
    expect(await fitsWindow(page)).toBe(true);
    expect(await violationsByScheme(page, `report-${width}`)).toEqual([]);
  });

  test('looks as in the README', async () => {
    const page = await portal.as(portal.admin, revenue);
    await page.setViewportSize({ width: 1280, height: 940 });
    await isShown(page, 'Revenue overview');
    await inside(page).getByText('Revenue by customer').waitFor();
    await screenshot(page, 'portal');
    expect(await fitsWindow(page)).toBe(true);
  });

  test('shows its pages, whose selection is in the URL and kept on reload', async () => {
    const page = await portal.as(portal.admin, '/reports');
    await page.getByRole('link', { name: 'Revenue overview' }).click();
    await isShown(page, 'Revenue overview');
    const pages = page.getByRole('navigation', { name: 'Report pages' });
    await pages.getByRole('button', { name: 'Overview' }).and(page.locator('[aria-current=page]')).waitFor();
    await pages.getByRole('button', { name: 'Products' }).press('Enter');
    await inside(page).locator('tbody').waitFor();
    await page.waitForURL((url) => url.searchParams.get('page') === 'ReportSection1');
    await page.reload();
    await inside(page).locator('tbody').waitFor();
    await pages.getByRole('button', { name: 'Products' }).and(page.locator('[aria-current=page]')).waitFor();
    await page.goBack();
    await page.getByText('22 reports').waitFor();
    await page.goForward();
    await inside(page).locator('tbody').waitFor();
  });

  test('does not cancel a link that is followed, by the change of its page', async () => {
    const page = await portal.as(portal.admin, revenue);
    await isShown(page, 'Revenue overview');
    const released = Promise.withResolvers<void>();
    await page.route('**/assets/report-usage-*.js', (route) => released.promise.then(() => route.continue()));
    const chunk = page.waitForRequest('**/assets/report-usage-*.js');
    await page.getByRole('link', { name: /last 28 days/ }).click();
    await chunk;
    const products = page.getByRole('navigation', { name: 'Report pages' }).getByRole('button', {
      name: 'Products',
    });
    await products.click();
    await products.and(page.locator('[aria-current=page]')).waitFor();
    released.resolve();
    await page.waitForURL(/\/analytics\/reports\//);
    await page.unrouteAll({ behavior: 'wait' });
  });

  test('is reloaded on the same page', async () => {
    const page = await portal.as(portal.admin, revenue);
    await isShown(page, 'Revenue overview');
    await page.getByRole('button', { name: 'Products' }).click();
    await inside(page).getByLabel('Region').selectOption('Europe');
    await page.getByRole('button', { name: 'Refresh' }).click();
    await isShown(page, 'Revenue overview');
    await inside(page).locator('tbody').waitFor();
    // Until then the report before the refresh may still be shown.
    await until(async () => (await inside(page).getByLabel('Region').inputValue()) === 'All');
  });

  test('shows the age of the data in the frame until a refresh', async () => {
    const page = await portal.as(portal.admin, '/health');
    await page.clock.install();
    let data_as_of = '2026-01-02T12:00:00.000Z';
    await page.route(`**/api${revenue}`, async (route) => {
      const response = await route.fetch();
      const refreshed = { data_as_of, refresh_status: 'succeeded' };
      await route.fulfill({ response, json: { ...((await response.json()) as object), ...refreshed } });
    });
    await page.goto(`${portal.url}${revenue}`);
    await isShown(page, 'Revenue overview');
    await page.getByText('Data as of Jan 2, 2026').waitFor();
    // A refresh that ended before the report was loaded, and one that ended after it.
    data_as_of = '2026-01-03T12:00:00.000Z';
    await returnToTab(page);
    await page.getByText('Data as of Jan 3, 2026').waitFor();
    expect(await page.getByText('Newer data available').count()).toBe(0);
    data_as_of = '2099-01-04T12:00:00.000Z';
    await returnToTab(page);
    await page.getByText('Newer data available').waitFor();
    await page.getByText('Data as of Jan 3, 2026').waitFor();
    await page.getByRole('button', { name: 'Refresh' }).click();
    await page.getByText(/Data as of Jan 4/).waitFor();
    await page.getByText('Newer data available').waitFor({ state: 'detached' });
    await page.unrouteAll({ behavior: 'wait' });
  });

  test('fills the screen with its toolbar', async () => {
    const page = await portal.as(portal.admin, revenue);
    await isShown(page, 'Revenue overview');
    await page.getByRole('button', { name: 'Full screen', exact: true }).click();
    await page.getByRole('button', { name: 'Exit full screen' }).waitFor();
    expect(await page.evaluate('document.fullscreenElement.className')).toBe('report-stage');
    await page.getByRole('button', { name: 'Products' }).click();
    await inside(page).locator('tbody').waitFor();
    await page.getByRole('button', { name: 'Exit full screen' }).click();
    await page.getByRole('button', { name: 'Exit full screen' }).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Full screen', exact: true }).waitFor();
  });

  test('shows notices in full screen', async () => {
    const page = await portal.as(portal.admin, revenue);
    await isShown(page, 'Revenue overview');
    const problem = { status: 503, code: 'database_unavailable', title: '', detail: '', request_id: 'r-1' };
    const held = Promise.withResolvers<void>();
    await page.route('**/favourite', async (route) => {
      await held.promise;
      await route.fulfill({ status: 503, json: problem });
    });
    await page.getByRole('button', { name: 'Favourite: Revenue overview' }).click();
    await page.getByRole('button', { name: 'Full screen', exact: true }).click();
    await page.getByRole('button', { name: 'Exit full screen' }).waitFor();
    held.resolve();
    await page.locator(':fullscreen').getByText('The database is temporarily unavailable').waitFor();
    await page.unrouteAll({ behavior: 'wait' });
  });

  test('that is paginated has neither pages nor an editor', async () => {
    const page = await portal.as(
      portal.admin,
      `/reports/${await idOf(portal, 'reports', 'Invoice register')}`,
    );
    await isShown(page, 'Invoice register');
    await page.getByText('Paginated', { exact: true }).waitFor();
    expect(await page.getByRole('navigation', { name: 'Report pages' }).getByRole('button').count()).toBe(0);
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Print' }).waitFor();
    expect(await page.getByRole('menuitem', { name: 'Edit' }).count()).toBe(0);
  });

  test("loads Microsoft's client, which no other page does", async () => {
    const page = await portal.tab(await portal.newContext());
    const clients: string[] = [];
    page.on('request', (request) => {
      if (/power-bi-frame/.test(request.url())) clients.push(request.url());
    });
    await portal.signIn(page, portal.admin, '/workspaces');
    await page.getByRole('link', { name: 'Sales' }).waitFor();
    expect(clients).toEqual([]);
    await page.goto(`${portal.url}${revenue}`);
    await isShown(page, 'Revenue overview');
    expect(clients.length).toBeGreaterThan(0);
  });
});

test('a report that takes long says so at each attempt, and is uncovered even if it never says that it is drawn', async () => {
  const page = await portal.as(portal.admin, '/reports');
  await page.clock.install();
  const isSlow = page.getByText('Power BI is taking longer than usual to load this report.');
  const attempts = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let begun = 0;
  await page.route('**/reportEmbed/open', async (route) => {
    begun += 1;
    await attempts[begun - 1]?.promise;
    const error = { message: 'LoadReportFailed', detailedMessage: 'Get report failed', errorCode: '404' };
    if (begun === 1) return route.fulfill({ status: 400, json: error });
    const response = await route.fetch();
    const opened = (await response.json()) as object;
    return route.fulfill({ response, json: { ...opened, never_renders: true } });
  });
  await page.goto(`${portal.url}${revenue}`);
  await until(() => begun === 1);
  await page.clock.fastForward(20_000);
  await isSlow.waitFor();
  attempts[0]?.resolve();
  await page.getByRole('alert').getByText('Report not found in Power BI').waitFor();
  await page.getByRole('button', { name: 'Try again' }).click();
  await until(() => begun === 2);
  await page.clock.fastForward(20_000);
  await isSlow.waitFor();
  attempts[1]?.resolve();
  await page.getByRole('status', { name: 'Loading report' }).waitFor({ state: 'detached' });
  await page.getByRole('navigation', { name: 'Report pages' }).waitFor();
  await page.unrouteAll({ behavior: 'wait' });
});

test('a report whose frame never answers can be loaded in another frame', async () => {
  const page = await portal.as(portal.admin, '/reports');
  await page.clock.install();
  let frames = 0;
  await page.route(/\/reportEmbed\?/, async (route) => {
    frames += 1;
    if (frames > 1) await route.continue();
  });
  await page.getByRole('link', { name: 'Revenue overview' }).click();
  await until(() => frames === 1);
  await page.clock.fastForward(20_000);
  await page.getByText('If this continues, your network may block Power BI').waitFor();
  await page.getByRole('button', { name: 'Try again' }).click();
  await isShown(page, 'Revenue overview');
});

describe('different users', () => {
  test.each(['ada', 'ben'])(
    'see only their own rows of a report with row-level security (%s)',
    async (name) => {
      const person = await viewer(portal, `${name}@vitrine.example`, { Sales: 'viewer' });
      const id = await idOf(portal, 'reports', 'My customers');
      const page = await portal.as(person, `/reports/${id}?page=ReportSection1`);
      await isShown(page, 'My customers');
      await shownTo(page).getByText(person.email).waitFor();
      const owners = await inside(page).locator('tbody td:nth-child(5)').allInnerTexts();
      expect([...new Set(owners)]).toEqual([person.email]);
    },
  );

  test('cannot edit as a viewer', async () => {
    const page = await portal.as(await viewer(portal, 'vic@vitrine.example', { Sales: 'viewer' }), revenue);
    await isShown(page, 'Revenue overview');
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Print' }).waitFor();
    expect(await page.getByRole('menuitem').count()).toBe(1);
    await page.goto(`${portal.url}${revenue}?mode=edit`);
    await isShown(page, 'Revenue overview');
    await shownTo(page).getByText('View').waitFor();
  });

  test('can edit as an editor, and confirm before changes are lost', async () => {
    const page = await portal.as(await viewer(portal, 'edi@vitrine.example', { Sales: 'editor' }), revenue);
    await isShown(page, 'Revenue overview');
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Edit' }).click();
    await shownTo(page).getByText('Edit').waitFor();
    // It would discard the changes.
    const refresh = page.getByRole('button', { name: 'Refresh' });
    expect(await refresh.count()).toBe(0);
    await page.getByRole('button', { name: 'Full screen', exact: true }).click();
    await page.getByRole('button', { name: 'Exit full screen' }).waitFor();
    expect(await refresh.count()).toBe(0);
    await page.getByRole('button', { name: 'Exit full screen' }).click();
    await page.getByRole('button', { name: 'Full screen', exact: true }).waitFor();
    const question = page.getByRole('dialog', { name: 'Discard unsaved changes?' });
    // Just after full screen, a slow browser still sends clicks and keys to the frame of the report.
    await untilPasses(async () => {
      if (!(await question.isVisible()))
        await page.getByRole('link', { name: 'Reports', exact: true }).press('Enter');
      expect(await question.isVisible()).toBe(true);
    });
    await question.getByRole('button', { name: 'Cancel' }).click();
    await question.waitFor({ state: 'detached' });
    await shownTo(page).getByText('Edit').waitFor();
    await page.getByRole('button', { name: 'Stop editing' }).click();
    await question.getByRole('button', { name: 'Discard' }).click();
    await shownTo(page).getByText('View').waitFor();
    await refresh.waitFor();
  });

  test.each([
    ['edit', 'learn', 1],
    ['view', 'need not know', 0],
  ])('who %s %s that a report is loaded again after an expiry', async (mode, _, notices) => {
    const page = await portal.as(portal.admin, `${revenue}?mode=${mode}`);
    await isShown(page, 'Revenue overview');
    const expired = {
      message: 'TokenExpired',
      detailedMessage: 'Access token has expired',
      errorCode: '403',
    };
    const again = page.waitForRequest('**/reportEmbed/open');
    const refuse = (route: Route) => route.fulfill({ status: 403, json: expired });
    await page.route('**/reportEmbed/check', refuse, { times: 1 });
    await again;
    await isShown(page, 'Revenue overview');
    expect(await page.getByText('Changes that were not saved are lost.').count()).toBe(notices);
  });

  test('confirm to the browser that the tab closes while they edit', async () => {
    const page = await portal.as(portal.admin, revenue);
    await isShown(page, 'Revenue overview');
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Edit' }).click();
    await shownTo(page).getByText('Edit').waitFor();
    await cancelClosing(page);
    await shownTo(page).getByText('Edit').waitFor();
  });

  test('do not share while they edit: the dialog would ask in place of the editor', async () => {
    const page = await portal.as(portal.admin, `${revenue}?mode=edit`);
    await shownTo(page).getByText('Edit').waitFor();
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Who can see this' }).waitFor();
    expect(await page.getByRole('menuitem', { name: 'Share' }).count()).toBe(0);
  });

  test('have a link to Power BI as admins', async () => {
    const page = await portal.as(portal.admin, revenue);
    await page.getByRole('button', { name: 'More actions' }).click();
    const link = page.getByRole('menuitem', { name: 'Open in Power BI' });
    expect(await link.getAttribute('href')).toMatch(/^https:\/\/app\.powerbi\.com\/groups\/.+\/reports\//);
    expect(await link.getAttribute('rel')).toBe('noreferrer');
  });
});
