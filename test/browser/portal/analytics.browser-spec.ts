import { readFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { inDatabase } from '../../local/owner-database.js';
import { pick } from './admin.js';
import { cutTables } from './geometry.js';
import { expectLayout } from './looks.js';
import { asAdmin } from './people.js';
import { Portal, type Width } from './portal.js';
import { untilCounted, view } from './usage.js';
import { until } from '../../support/until.js';
import { createGroup, idOf, viewer } from './viewers.js';

let portal: Portal;
let max: { email: string; password: string };

/** Ana opens two reports, Max one of them. */
beforeAll(async () => {
  portal = await Portal.open();
  const revenue = await idOf(portal, 'reports', 'Revenue overview');
  const cashFlow = await idOf(portal, 'reports', 'Cash flow');
  const ana = await viewer(portal, 'ana@example.com', { Sales: 'viewer', Finance: 'viewer' });
  max = await viewer(portal, 'max@example.com', { Sales: 'manager' });
  await view(portal, ana, {
    report: revenue,
    pages: ['Overview', 'Products'],
    opened: 1100,
    visible: 60_000,
  });
  await view(portal, max, { report: revenue, pages: ['Overview'], opened: 1100, visible: 30_000 });
  await view(portal, ana, {
    report: cashFlow,
    pages: ['Overview'],
    opened: 4500,
    visible: 10_000,
    error: 'TokenExpired',
  });
  await untilCounted(portal, 3);
}, 120_000);
afterEach(() => expect(portal.pageErrors).toEqual([]));
afterAll(() => portal.close());

const figure = (page: Page, label: string) => page.getByRole('group', { name: label, exact: true });
const row = (page: Page, name: RegExp) => page.getByRole('row', { name });

describe('the overview', () => {
  test.each<Width>(['phone', 'desktop'])(
    'shows figures, a chart with its table, and reports (%s)',
    async (width) => {
      const page = await portal.as(portal.admin, '/analytics', width);
      await figure(page, 'Views').getByText('3', { exact: true }).waitFor();
      await figure(page, 'Viewers').getByText('2', { exact: true }).waitFor();
      await figure(page, 'Time viewed').getByText('2 min', { exact: true }).waitFor();
      await figure(page, 'Failures').getByText('1', { exact: true }).waitFor();
      await page
        .getByRole('img', { name: /^Chart: Views by day/ })
        .locator('svg')
        .waitFor();
      await page.getByText('Show as table').click();
      await row(page, /3 2$/).first().waitFor();
      await row(page, /^Revenue overview Sales 2/)
        .first()
        .waitFor();
      await row(page, /^TokenExpired 1$/).waitFor();
      await expectLayout(page, `analytics-${width}`);
    },
  );

  test('keeps the period and the filter in the URL, also on the other pages', async () => {
    const page = await portal.as(portal.admin, '/analytics');
    await page.getByRole('combobox', { name: 'Period' }).click();
    await page.getByRole('option', { name: 'Last 90 days' }).click();
    await page.getByRole('img', { name: /^Chart: Views by week/ }).waitFor();
    await page.getByRole('switch', { name: 'Exclude administrators' }).press('Space');
    await page.waitForURL((url) => url.searchParams.get('admins') === 'no');
    // The links follow the URL.
    await page.locator('main a[href*="admins=no"]', { hasText: /^Reports$/ }).click();
    await page.getByRole('heading', { name: 'Report usage', level: 1 }).waitFor();
    expect(new URL(page.url()).search).toBe('?days=90&admins=no');
    await page.reload();
    expect(await page.getByRole('combobox', { name: 'Period' }).inputValue()).toBe('Last 90 days');
  });
});

test('a chart has the colour of the organization, and the numbers of the language', async () => {
  await asAdmin(portal, 'PUT', '/api/settings/branding', { primary_color: '#7b1fa2' });
  const page = await portal.as(portal.admin, '/health');
  await page.addInitScript("Object.defineProperty(navigator, 'languages', { get: () => ['de-DE'] })");
  await page.route('**/api/usage/overview?*', async (route) => {
    const response = await route.fetch();
    const overview = (await response.json()) as { buckets: object[] };
    const buckets = overview.buckets.map((bucket) => ({ ...bucket, views: 2345 }));
    await route.fulfill({ response, json: { ...overview, buckets } });
  });
  await page.goto(`${portal.url}/analytics`);
  const chart = page.getByRole('img', { name: /^Diagramm/ });
  await chart.getByText('2.000', { exact: true }).waitFor();
  // The legend has two such shapes, then come the bars.
  await chart.locator('path[fill="#7b1fa2"]').nth(3).waitFor();
  await page.unrouteAll({ behavior: 'wait' });
  await asAdmin(portal, 'PUT', '/api/settings/branding', {});
});

describe('the period', () => {
  const query = (page: Page) => Object.fromEntries(new URL(page.url()).searchParams);
  const dayAgo = (days: number): string =>
    new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);

  test.each<Width>(['phone', 'desktop'])(
    'has custom dates, entered by keyboard and kept in the URL (%s)',
    async (width) => {
      const page = await portal.as(portal.admin, '/analytics', width);
      await page.getByRole('combobox', { name: 'Period' }).click();
      await page.getByRole('option', { name: 'Custom range' }).click();
      const from = page.getByLabel('From', { exact: true });
      await from.waitFor();
      expect([await from.inputValue(), query(page)]).toEqual([
        dayAgo(27),
        { from: dayAgo(27), to: dayAgo(0) },
      ]);
      await from.fill(dayAgo(2));
      await page.waitForURL((url) => url.searchParams.get('from') === dayAgo(2));
      await page.getByText('Show as table').click();
      await page.getByRole('cell', { name: '2', exact: true }).first().waitFor();
      await until(async () => (await page.locator('details tbody tr').count()) === 3);
      await figure(page, 'Views').getByText('3', { exact: true }).waitFor();
      await expectLayout(page, `analytics-custom-${width}`);
      await page.reload();
      await figure(page, 'Views').getByText('3', { exact: true }).waitFor();
      expect(await from.inputValue()).toBe(dayAgo(2));
      await page.getByRole('link', { name: 'Reports', exact: true }).last().click();
      await page.getByRole('heading', { name: 'Report usage', level: 1 }).waitFor();
      expect(query(page)).toEqual({ from: dayAgo(2), to: dayAgo(0) });
    },
  );

  test('that was typed only in part, or that ends before it begins, changes nothing', async () => {
    const page = await portal.as(portal.admin, `/analytics?from=${dayAgo(9)}&to=${dayAgo(4)}`);
    await figure(page, 'Views').getByText('0', { exact: true }).waitFor();
    await page.getByLabel('From', { exact: true }).fill(dayAgo(1));
    await page.getByText('Must not be after the end date').waitFor();
    await page.getByLabel('To', { exact: true }).fill('');
    expect(query(page)).toEqual({ from: dayAgo(9), to: dayAgo(4) });
    await page.getByLabel('To', { exact: true }).fill(dayAgo(0));
    await figure(page, 'Views').getByText('3', { exact: true }).waitFor();
    expect(query(page)).toEqual({ from: dayAgo(1), to: dayAgo(0) });
  });

  test.each(['from=2026-02-31&to=2026-03-01', 'from=x', `from=${'9'.repeat(30)}&to=2026-01-01`])(
    'is the default one if the address contains %s',
    async (search) => {
      const page = await portal.as(portal.admin, `/analytics?${search}`);
      await figure(page, 'Views').getByText('3', { exact: true }).waitFor();
      expect(await page.getByRole('combobox', { name: 'Period' }).inputValue()).toBe('Last 28 days');
    },
  );
});

describe('the reports', () => {
  test.each<Width>(['phone', 'desktop'])('are sorted, filtered and opened (%s)', async (width) => {
    const page = await portal.as(portal.admin, '/analytics/reports', width);
    await row(page, /^Revenue overview Sales 2/).waitFor();
    await page.getByRole('button', { name: 'Load time (p95)' }).click();
    await page.getByRole('button', { name: 'Load time (p95)' }).click();
    await row(page, /^Cash flow/).waitFor();
    await expectLayout(page, `analytics-reports-${width}`);
    await pick(page, 'Workspace', 'Finance', page);
    await row(page, /^Revenue overview/).waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Cash flow' }).click();
    await page.getByRole('heading', { name: 'Usage of Cash flow', level: 1 }).waitFor();
    await row(page, /^Overview 1$/).waitFor();
    await row(page, /^ana 1 10 s/).waitFor();
    expect(await cutTables(page)).toEqual([]);
    await expectLayout(page, `analytics-report-${width}`);
  });

  test('are exported as CSV', async () => {
    const page = await portal.tab(await portal.newContext());
    await page.addInitScript('delete window.showSaveFilePicker');
    await portal.signIn(page, portal.admin, '/analytics/reports');
    await row(page, /^Revenue overview/).waitFor();
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export', exact: true }).click();
    await page.getByRole('menuitem', { name: /^CSV/ }).click();
    const csv = readFileSync(await (await download).path());
    // The byte order mark, without which Excel does not read UTF-8.
    expect([...csv.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
    expect(csv.toString()).toMatch(/^\ufeffreport_id,/);
    expect(csv.toString()).toContain('Revenue overview');
    expect(csv.toString()).toContain('Cash flow');
  });
});

test.each<Width>(['phone', 'desktop'])('unused reports lead to their access (%s)', async (width) => {
  await inDatabase(portal.started.dataDir, (query) =>
    query(`INSERT INTO usage_last_views (report_id, last_viewed_at)
      SELECT id, now() - interval '100 days' FROM reports WHERE name = 'Pipeline' ON CONFLICT DO NOTHING`),
  );
  const page = await portal.as(portal.admin, '/analytics/unused', width);
  await row(page, /^Pipeline/).waitFor();
  expect(await row(page, /^Cash flow/).count()).toBe(0);
  await expectLayout(page, `analytics-unused-${width}`);
  await row(page, /^Pipeline/)
    .getByRole('link', { name: 'Review access' })
    .click();
  await page.getByRole('heading', { name: 'Access to Pipeline', level: 1 }).waitFor();
});

test.each<Width>(['phone', 'desktop'])(
  'adoption shows all workspaces, also unused ones (%s)',
  async (width) => {
    const page = await portal.as(portal.admin, '/analytics/adoption', width);
    const names = page.getByRole('row').getByRole('link');
    await names.filter({ hasText: 'Sales' }).waitFor();
    const all = ['Finance', 'New region', 'Operations', 'Partners', 'People', 'Sales', 'Trials'];
    expect((await names.allInnerTexts()).toSorted()).toEqual(all);
    await expectLayout(page, `analytics-adoption-all-${width}`);
    expect(await cutTables(page)).toEqual([]);
    await page.getByRole('button', { name: 'Workspace', exact: true }).press('Enter');
    await page.waitForURL((url) => url.searchParams.get('sort') === 'name');
    await page.getByRole('row').nth(1).filter({ hasText: 'Finance' }).waitFor();
    await page.getByRole('searchbox', { name: 'Search workspaces' }).fill('sal');
    await names.filter({ hasText: 'Finance' }).waitFor({ state: 'detached' });
  },
);

test('adoption is shown by workspace', async () => {
  const page = await portal.as(portal.admin, '/analytics/adoption');
  await page
    .getByRole('row', { name: /^Sales/ })
    .getByRole('link')
    .press('Enter');
  await page.getByRole('link', { name: 'All workspaces' }).waitFor();
  await figure(page, 'Views').getByText('2', { exact: true }).waitFor();
  await expectLayout(page, 'analytics-adoption');
  await page.evaluate("Reflect.deleteProperty(window, 'showSaveFilePicker')");
  await page.getByRole('button', { name: 'Export', exact: true }).press('Enter');
  const download = page.waitForEvent('download');
  await page.getByRole('menuitem', { name: /^CSV/ }).press('Enter');
  expect((await download).suggestedFilename()).toMatch(/^usage-workspace-.*\.csv$/);
  expect(readFileSync(await (await download).path(), 'utf8')).toMatch(/^\ufeffstart,/);
});

test('adoption is shown by group, without the numbers of fewer than 5 people', async () => {
  await createGroup(portal, 'Adopters', [max.email]);
  const page = await portal.as(portal.admin, '/analytics/adoption');
  await pick(page, 'Group', 'Adopters', page);
  await figure(page, 'Members').getByText('1', { exact: true }).waitFor();
  await figure(page, 'Issued tokens').waitFor();
  await page.getByText('Hidden, because the figures would reveal the views of fewer than 5 users.').waitFor();
  await page.getByRole('button', { name: 'Export', exact: true }).waitFor();
  await expectLayout(page, 'analytics-adoption-group');
});

test('managers see only their workspaces', async () => {
  const page = await portal.as(max, '/analytics');
  await figure(page, 'Views').getByText('2', { exact: true }).waitFor();
  await row(page, /^Revenue overview/)
    .first()
    .waitFor();
  expect(await row(page, /^Cash flow/).count()).toBe(0);
  await page.goto(`${portal.url}/analytics/adoption`);
  await row(page, /^Sales/).waitFor();
  expect(await row(page, /^Finance/).count()).toBe(0);
  expect(await page.getByRole('combobox', { name: 'Group' }).count()).toBe(0);
});

test('a retired report keeps its figures, without a link to open it', async () => {
  await inDatabase(portal.started.dataDir, (query) =>
    query(`WITH added AS (
        INSERT INTO reports (id, workspace_id, pbi_report_id, name, report_type, embed_url, updated_at, retired_at)
        SELECT gen_random_uuid(), workspace_id, gen_random_uuid(), 'Closed deals', report_type, embed_url, now(), now()
        FROM reports WHERE name = 'Pipeline' RETURNING id, workspace_id)
      INSERT INTO usage_report_day (day, report_id, by_admin, workspace_id, views)
      SELECT current_date - 7, id, false, workspace_id, 7 FROM added`),
  );
  const page = await portal.as(portal.admin, '/analytics/reports');
  await page.getByRole('link', { name: 'Closed deals' }).click();
  await page.getByRole('heading', { name: 'Usage of Closed deals', level: 1 }).waitFor();
  await page.getByText('The report no longer exists in Power BI.').waitFor();
  expect(await page.getByRole('link', { name: 'Open report' }).count()).toBe(0);
});
