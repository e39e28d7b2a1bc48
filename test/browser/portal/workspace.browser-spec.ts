import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { violationsByScheme, fitsWindow, Portal, type Width } from './portal.js';
import { idOf, viewer } from './viewers.js';

let portal: Portal;
let sales: string;

beforeAll(async () => {
  portal = await Portal.open();
  sales = await idOf(portal, 'workspaces', 'Sales');
}, 120_000);
afterEach(() => expect(portal.pageErrors).toEqual([]));
afterAll(() => portal.close());

describe('the list of workspaces', () => {
  test('shows its length, and is reversed by the column heading', async () => {
    const page = await portal.as(portal.admin, '/workspaces');
    const names = page.getByRole('cell').getByRole('link');
    await page.getByText('7 workspaces').waitFor();
    const before = await names.allInnerTexts();
    await page.getByRole('button', { name: 'Name' }).press('Enter');
    await page
      .getByRole('columnheader', { name: 'Name' })
      .and(page.locator('[aria-sort=descending]'))
      .waitFor();
    await names
      .first()
      .filter({ hasText: before.at(-1) })
      .waitFor();
    expect(await names.allInnerTexts()).toEqual(before.toReversed());
    await page.reload();
    await names
      .first()
      .filter({ hasText: before.at(-1) })
      .waitFor();
  });

  test('shows a user without a workspace how to get one', async () => {
    const page = await portal.as(await viewer(portal, 'nobody@vitrine.example'), '/workspaces');
    await page.getByRole('heading', { name: "You don't have access to any workspaces yet" }).waitFor();
    await page.getByText('Request access with the link to a report or workspace').waitFor();
  });

  test('shows a failed request and retries it on click', async () => {
    const page = await portal.as(portal.admin, '/reports');
    await page.route('**/api/workspaces?*', (route) => route.abort());
    await page.getByRole('link', { name: 'Workspaces' }).click();
    await page.getByRole('alert').getByText("Can't reach the server").waitFor();
    await page.unroute('**/api/workspaces?*');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('link', { name: 'Sales' }).waitFor();
  });
});

describe('the page of a workspace', () => {
  test.each<Width>(['phone', 'desktop'])('shows its reports (%s)', async (width) => {
    const page = await portal.as(portal.admin, `/workspaces/${sales}`, width);
    await page.getByRole('heading', { name: 'Sales', level: 1 }).waitFor();
    await page.getByRole('row', { name: /Order confirmation.*Paginated/ }).waitFor();
    await page.getByText('Revenue by month and product').waitFor();
    expect(await violationsByScheme(page, `workspace-${width}`)).toEqual([]);
    expect(await fitsWindow(page)).toBe(true);
  });

  test('searches and opens its reports', async () => {
    const page = await portal.as(portal.admin, `/workspaces/${sales}`);
    await page.getByRole('searchbox', { name: 'Search reports' }).fill('pipe');
    await page.getByRole('link', { name: 'Product mix' }).waitFor({ state: 'detached' });
    await page.getByRole('searchbox').fill('no such thing');
    await page.getByText('No reports in this workspace match “no such thing”').waitFor();
    await page.getByRole('button', { name: 'Clear search' }).click();
    await page.getByRole('link', { name: 'Pipeline' }).click();
    await page.getByRole('heading', { name: 'Pipeline', level: 1 }).waitFor();
    await page.getByRole('link', { name: 'Sales' }).click();
    await page.getByRole('heading', { name: 'Sales', level: 1 }).waitFor();
  });

  test('keeps the typed search text while it loads whether the user is a manager', async () => {
    const page = await portal.as(portal.admin, '/workspaces');
    const known = Promise.withResolvers<void>();
    await page.route('**/api/users/me', async (route) => {
      await known.promise;
      await route.continue();
    });
    await page.goto(`${portal.url}/workspaces/${sales}`);
    const search = page.getByRole('searchbox', { name: 'Search reports' });
    const typed = search.fill('pipe').then(() => known.resolve());
    // Long enough for a page that does not wait to be typed into.
    await Promise.race([typed, sleep(3000)]);
    known.resolve();
    await typed;
    await page.getByRole('tab', { name: 'Access' }).waitFor();
    await page.getByRole('link', { name: 'Product mix' }).waitFor({ state: 'detached' });
    expect(await page.getByRole('searchbox').inputValue()).toBe('pipe');
    await page.unroute('**/api/users/me');
  });

  test('without reports shows an empty state', async () => {
    const path = `/workspaces/${await idOf(portal, 'workspaces', 'New region')}`;
    const page = await portal.as(portal.admin, path);
    await page.getByRole('heading', { name: 'This workspace has no reports yet' }).waitFor();
    await page.getByRole('link', { name: 'Go to Syncs' }).waitFor();
    const ben = await portal.as(
      await viewer(portal, 'ben@vitrine.example', { 'New region': 'viewer' }),
      path,
    );
    await ben.getByText('appear here after the next sync').waitFor();
  });

  test('has a tab of its members for managers', async () => {
    const manager = await viewer(portal, 'mia@vitrine.example', { Sales: 'manager', Finance: 'viewer' });
    const page = await portal.as(manager, `/workspaces/${sales}`);
    await page.getByRole('tab', { name: 'Access' }).click();
    expect(new URL(page.url()).searchParams.get('tab')).toBe('access');
    await page.reload();
    await page.getByRole('tab', { name: 'Access', selected: true }).waitFor();
    await page.goBack();
    await page.getByRole('tab', { name: 'Reports', selected: true }).waitFor();
    await page.goto(`${portal.url}/workspaces/${await idOf(portal, 'workspaces', 'Finance')}`);
    await page.getByRole('link', { name: 'Cash flow' }).waitFor();
    expect(await page.getByRole('tab').count()).toBe(0);
  });

  test('that the user may not see looks like an unknown one', async () => {
    const eve = await viewer(portal, 'eve@vitrine.example', { Finance: 'viewer' });
    const page = await portal.as(eve, `/workspaces/${sales}`);
    await page.getByRole('alert').getByText("Workspace not found, or you don't have access").waitFor();
    await page.goto(`${portal.url}/workspaces/01890a5d-ac96-774b-bcce-b302099a8057`);
    await page.getByRole('alert').getByText("Workspace not found, or you don't have access").waitFor();
    await page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('link').click();
    await page.getByRole('link', { name: 'Finance' }).waitFor();
  });
});

/** Opens a workspace with the search: without a load of the page. */
async function jumpTo(page: Page, name: string): Promise<void> {
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: /^Search reports, workspaces/ }).fill(name);
  await page.getByRole('option', { name: `${name} Workspace` }).click();
  await page.getByRole('heading', { name, level: 1 }).waitFor();
}

describe('after another workspace', () => {
  let finance: string;
  beforeAll(async () => {
    finance = await idOf(portal, 'workspaces', 'Finance');
  });

  test('no report of that one is shown', async () => {
    const page = await portal.as(portal.admin, `/workspaces/${finance}?tab=access`);
    await page.getByRole('heading', { name: 'Finance', level: 1 }).waitFor();
    await jumpTo(page, 'Sales');
    await page.getByRole('link', { name: 'Pipeline' }).waitFor();
    const asserted = Promise.withResolvers<void>();
    await page.route('**/api/reports?*', async (route) => {
      await asserted.promise;
      await route.continue();
    });
    await jumpTo(page, 'Finance');
    expect(await page.getByRole('link', { name: 'Pipeline' }).count()).toBe(0);
    asserted.resolve();
    await page.getByRole('link', { name: 'Cash flow' }).waitFor();
    await page.unrouteAll({ behavior: 'wait' });
  });

  test('nothing that was typed there is kept', async () => {
    const page = await portal.as(portal.admin, `/workspaces/${sales}?tab=settings`);
    const field = page.getByLabel('Email address or link');
    await field.waitFor();
    await jumpTo(page, 'Finance');
    await page.getByRole('tab', { name: 'Settings' }).click();
    await field.fill('finance@example.com');
    await page.evaluate('history.go(-2)');
    await page.getByRole('heading', { name: 'Sales', level: 1 }).waitFor();
    expect(await field.inputValue()).toBe('');
  });
});

describe('the contact of a workspace', () => {
  test.each<Width>(['phone', 'desktop'])('is set by a manager and found at a report (%s)', async (width) => {
    const manager = await viewer(portal, `mona-${width}@example.com`, { Sales: 'manager' });
    const page = await portal.as(manager, `/workspaces/${sales}?tab=settings`, width);
    const contact = page.getByRole('region', { name: 'Contact' });
    const field = contact.getByLabel('Email address or link');
    await field.waitFor();
    await page.route('**/api/workspaces/*/settings', (route) => route.fulfill({ status: 400, body: 'oops' }));
    await page.reload();
    const retry = page.getByRole('button', { name: 'Try again' });
    await retry.waitFor();
    expect(await page.getByLabel('Viewers can export reports').count()).toBe(0);
    await page.unroute('**/api/workspaces/*/settings');
    await retry.click();
    await field.fill('nobody at all');
    await contact.getByRole('button', { name: 'Save changes' }).click();
    await contact.getByText('Enter an email address, or a link').waitFor();
    await field.fill('sales-reports@example.com');
    await contact.getByRole('button', { name: 'Save changes' }).click();
    await page.getByText('Changes saved').waitFor();
    expect(await violationsByScheme(page, `workspace-contact-${width}`)).toEqual([]);
    expect(await fitsWindow(page)).toBe(true);
    const reader = await viewer(portal, `rita-${width}@example.com`, { Sales: 'viewer' });
    const report = await portal.as(
      reader,
      `/reports/${await idOf(portal, 'reports', 'Revenue overview')}`,
      width,
    );
    await report.getByRole('button', { name: 'More actions' }).click();
    const link = report.getByRole('menuitem', { name: 'Contact sales-reports@example.com' });
    expect(await link.getAttribute('href')).toBe(
      'mailto:sales-reports@example.com?subject=Revenue%20overview',
    );
    expect(await fitsWindow(report)).toBe(true);
    await field.fill('');
    await field.press('Enter');
    await report.reload();
    const read = report.waitForResponse('**/api/workspaces/*/settings');
    await report.getByRole('button', { name: 'More actions' }).click();
    await read;
    await link.waitFor({ state: 'detached' });
  });
});
