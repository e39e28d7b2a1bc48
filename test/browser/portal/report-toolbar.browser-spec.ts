import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { fails } from './admin.js';
import { inside, isShown } from './embedded.js';
import { cutButtons, smallTargets } from './geometry.js';
import { expectLayout } from './looks.js';
import { fitsWindow, screenshot, Portal, type Width } from './portal.js';
import { idOf, viewer } from './viewers.js';
import { untilPasses } from '../../support/until.js';

let portal: Portal;
let revenue: string;
let edi: { email: string; password: string };
let vic: { email: string; password: string };

beforeAll(async () => {
  portal = await Portal.open();
  revenue = `/reports/${await idOf(portal, 'reports', 'Revenue overview')}`;
  edi = await viewer(portal, 'edi@example.com', { Sales: 'editor' });
  vic = await viewer(portal, 'vic@example.com', { Sales: 'viewer' });
}, 120_000);
afterEach(() => expect(portal.pageErrors).toEqual([]));
afterAll(() => portal.close());

const tool = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const region = (page: Page) => inside(page).getByLabel('Region');

async function open(person: { email: string; password: string }, search = '', width?: Width): Promise<Page> {
  const page = await portal.as(person, `${revenue}${search}`, width);
  await isShown(page, 'Revenue overview');
  return page;
}

/** The service's response with another freshness. */
async function withFreshness(page: Page, freshness: object): Promise<void> {
  await page.route(`**/api${revenue}`, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...((await response.json()) as object), ...freshness } });
  });
}

describe('the header of a report', () => {
  test('is one line at the height of a button', async () => {
    const page = await open(portal.admin);
    await page.getByRole('heading', { name: 'Revenue overview', level: 1 }).waitFor();
    const title = await page.getByRole('heading', { level: 1 }).boundingBox();
    const more = await tool(page, 'More actions').boundingBox();
    const frame = await page.locator('iframe').boundingBox();
    expect(Math.abs((title?.y ?? 0) - (more?.y ?? 99))).toBeLessThan(20);
    expect(frame?.y).toBeLessThan(190);
    expect((frame?.x ?? 0) + (frame?.width ?? 0)).toBeGreaterThan(1278);
    await page.mouse.move(0, 0);
    await expectLayout(page, 'report-header-desktop');
  });

  test('keeps its actions at the right end at every width', async () => {
    const page = await open(edi);
    for (const [width, height] of [
      [1600, 900],
      [1270, 900],
      [1000, 900],
      [780, 1000],
      [500, 900],
      [740, 360],
      [360, 740],
    ] as const) {
      await page.setViewportSize({ width, height });
      // The navigation slides out of a smaller window.
      await untilPasses(async () => {
        const more = await tool(page, 'More actions').boundingBox();
        const title = await page.getByRole('heading', { level: 1 }).boundingBox();
        const [right, gap] = [
          (more?.x ?? 0) + (more?.width ?? 0),
          width - (more?.x ?? 0) - (more?.width ?? 0),
        ];
        expect([width, gap >= 0, gap <= 25]).toEqual([width, true, true]);
        // On a phone they are below the title.
        const beside =
          (title?.x ?? 0) + (title?.width ?? 0) <= right && (more?.y ?? 99) - (title?.y ?? 0) < 20;
        expect([width, width <= 480 || beside]).toEqual([width, true]);
        expect(await fitsWindow(page)).toBe(true);
      });
    }
  });

  test('fits a phone', async () => {
    const page = await open(edi, '', 'phone');
    expect(await smallTargets(page)).toEqual([]);
    expect(await cutButtons(page)).toEqual([]);
    await expectLayout(page, 'report-header-phone');
  });

  test('collapses on a phone on its side', async () => {
    const page = await open(edi);
    await page.setViewportSize({ width: 740, height: 360 });
    await page.getByRole('banner').waitFor({ state: 'hidden' });
    // The navigation slides out of the smaller window.
    const isCollapsed = async () => ((await page.locator('iframe').boundingBox())?.y ?? Infinity) < 100;
    await untilPasses(async () => expect(await isCollapsed()).toBe(true));
    await untilPasses(async () => expect(await fitsWindow(page)).toBe(true));
    await screenshot(page, 'report-header-landscape');
    expect(await smallTargets(page)).toEqual([]);
    await page.getByRole('link', { name: 'Sales' }).click();
    await page.getByRole('banner').waitFor();
  });

  test.each([
    [{ data_as_of: '2026-03-05T08:10:00Z', refresh_status: 'succeeded' }, /^Data as of Mar 5, 2026$/],
    [{ data_as_of: null, refresh_status: 'live' }, /^Live data$/],
    [{ data_as_of: null, refresh_status: 'failed', refresh_failed_since: null }, /^Refresh failed$/],
  ])('shows the age of the data: %j', async (freshness, text) => {
    const page = await portal.as(vic, '/health');
    await withFreshness(page, { refresh_failed_since: null, ...freshness });
    await page.goto(`${portal.url}${revenue}`);
    await page.getByText(text).first().waitFor();
    await page.unrouteAll({ behavior: 'wait' });
  });

  test.each([
    ['en-GB', 'Data as of 5 Mar 2026'],
    ['de-DE', 'Datenstand 05.03.2026'],
  ])('has the dates of the region of the browser: %s', async (tag, text) => {
    const page = await portal.as(vic, '/health');
    await page.addInitScript(`Object.defineProperty(navigator, 'languages', { get: () => ['${tag}'] })`);
    await withFreshness(page, {
      data_as_of: '2026-03-05T08:10:00Z',
      refresh_status: 'succeeded',
      refresh_failed_since: null,
    });
    await page.goto(`${portal.url}${revenue}`);
    await page.getByText(text).first().waitFor();
    await page.unrouteAll({ behavior: 'wait' });
  });

  test('shows since when the refresh fails', async () => {
    const page = await portal.as(vic, '/health');
    const yesterday = new Date();
    yesterday.setDate(yesterday.getDate() - 1);
    yesterday.setHours(0, 0, 0, 0);
    const freshness = { data_as_of: yesterday, refresh_status: 'failed', refresh_failed_since: yesterday };
    await withFreshness(page, freshness);
    await page.goto(`${portal.url}${revenue}`);
    await page.getByText(/^Data as of/).waitFor();
    await page.getByText('Refresh failed yesterday').waitFor();
    await isShown(page, 'Revenue overview');
    await expectLayout(page, 'report-refresh-failed');
    await page.unrouteAll({ behavior: 'wait' });
  });
});

describe('the toolbar', () => {
  test('copies a link that opens the same page', async () => {
    const page = await open(edi);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page
      .getByRole('navigation', { name: 'Report pages' })
      .getByRole('button', { name: 'Products' })
      .click();
    await page.waitForURL(/page=ReportSection1/);
    await tool(page, 'Copy link').click();
    await tool(page, 'Copied').waitFor();
    const link = await page.evaluate<string>('navigator.clipboard.readText()');
    expect(link).toBe(`${portal.url}${revenue}?page=ReportSection1`);
    const other = await portal.as(vic, link.replace(portal.url, ''));
    await inside(other).locator('tbody').waitFor();
  });

  const print = async (page: Page) => {
    await tool(page, 'More actions').click();
    await page.getByRole('menuitem', { name: 'Print' }).click();
  };

  test('prints through Power BI, and offers viewers nothing that they may not do', async () => {
    const page = await open(vic);
    await tool(page, 'More actions').press('Enter');
    await page.getByRole('menuitem', { name: 'Print' }).waitFor();
    expect(await page.getByRole('menuitem').allInnerTexts()).toEqual(['Print']);
    await page.keyboard.press('Escape');
    await tool(page, 'More actions').and(page.locator(':focus')).waitFor();
    // Instead of the dialog of the system.
    const body = inside(page).locator('body');
    await body.evaluate("void (window.print = () => document.body.setAttribute('data-printed', 'true'))");
    await print(page);
    await inside(page).locator('body[data-printed]').waitFor();
  });

  test('says that printing failed', async () => {
    const page = await open(vic);
    await page.evaluate(
      "void (window.powerbi.get(document.querySelector('.report-frame')).print = () => Promise.reject(new Error()))",
    );
    await print(page);
    await page.getByText('The report could not be printed.').waitFor();
  });

  test('adds the report to the favourites', async () => {
    const page = await open(vic);
    const star = page.getByRole('button', { name: 'Favourite: Revenue overview' });
    await star.click();
    await star.and(page.locator('[aria-pressed=true]')).waitFor();
    await page.reload();
    await star.and(page.locator('[aria-pressed=true]')).waitFor();
  });
});

describe('a failure', () => {
  test('is not above a skeleton', async () => {
    const page = await portal.as(vic, '/health');
    const problem = { status: 503, code: 'power_bi_unavailable', title: '', detail: '', request_id: 'r-1' };
    await page.route('**/embed-token', (route) => route.fulfill({ status: 503, json: problem }));
    await page.goto(`${portal.url}${revenue}`);
    await page.getByRole('alert').first().waitFor();
    expect(await page.getByRole('status', { name: 'Loading report' }).count()).toBe(0);
    await screenshot(page, 'report-without-token');
    await page.unrouteAll({ behavior: 'wait' });
  });
});

describe('saved views', () => {
  const openSave = async (page: Page, name: string): Promise<Locator> => {
    await tool(page, 'Saved views').click();
    await page.getByRole('menuitem', { name: 'Save current view' }).click();
    const dialog = page.getByRole('dialog', { name: 'Save current view' });
    await dialog.getByLabel(/^Name/).fill(name);
    return dialog;
  };
  const save = async (page: Page, name: string, isShared = false) => {
    const dialog = await openSave(page, name);
    if (isShared)
      await dialog.getByLabel('Share with everyone who can see this report').check({ force: true });
    await expectLayout(page, 'view-save');
    await dialog.getByRole('button', { name: 'Save', exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByText(`View “${name}” saved`).waitFor();
  };

  test('are saved, applied from a link and again, renamed and deleted', async () => {
    const page = await open(edi);
    await region(page).selectOption('Europe');
    await save(page, 'Europe only');
    await page.waitForURL(/view=/);
    await tool(page, 'Saved views').and(page.locator(':focus')).waitFor();
    await page.reload();
    await isShown(page, 'Revenue overview');
    await until(page, 'Europe');

    await region(page).selectOption('All');
    await tool(page, 'Saved views').press('Enter');
    await page.getByRole('menuitem', { name: /^Europe only/ }).waitFor();
    await expectLayout(page, 'views-menu');
    await page.getByRole('menuitem', { name: /^Europe only/ }).click();
    await until(page, 'Europe');

    await tool(page, 'Saved views').click();
    await page.getByRole('menuitem', { name: 'Manage views' }).click();
    const dialog = page.getByRole('dialog', { name: 'Saved views' });
    await dialog.getByRole('button', { name: 'Rename Europe only' }).click();
    await dialog.getByRole('textbox').fill('EMEA');
    await dialog.getByRole('textbox').press('Enter');
    await dialog.getByRole('button', { name: 'Delete EMEA' }).waitFor();
    await expectLayout(page, 'views-manage');
    await dialog.getByRole('button', { name: 'Delete EMEA' }).click();
    await page.getByRole('button', { name: 'Delete view' }).click();
    await dialog.getByText('No saved views yet').waitFor();
    expect(new URL(page.url()).searchParams.has('view')).toBe(false);
  });

  test('are shared by editors, and viewers apply them but do not change them', async () => {
    const page = await open(edi);
    await region(page).selectOption('Europe');
    await save(page, 'Shared Europe', true);
    const id = new URL(page.url()).searchParams.get('view');
    const reader = await open(vic, `?view=${id}`);
    await until(reader, 'Europe');
    await tool(reader, 'Saved views').click();
    await reader.getByRole('menuitem', { name: 'Manage views' }).click();
    const dialog = reader.getByRole('dialog', { name: 'Saved views' });
    await dialog.getByRole('button', { name: 'Copy link to Shared Europe' }).waitFor();
    expect(await dialog.getByRole('button', { name: 'Delete Shared Europe' }).count()).toBe(0);
    await reader.keyboard.press('Escape');
    await tool(reader, 'Saved views').click();
    await reader.getByRole('menuitem', { name: 'Save current view' }).click();
    await reader.getByRole('dialog').getByLabel(/^Name/).waitFor();
    expect(await reader.getByRole('switch').count()).toBe(0);
  });

  test('are saved once by a double click', async () => {
    const page = await open(edi);
    const dialog = await openSave(page, 'Clicked twice');
    await dialog.getByRole('button', { name: 'Save', exact: true }).dblclick();
    await dialog.waitFor({ state: 'detached' });
    await tool(page, 'Saved views').click();
    await page
      .getByRole('menuitem', { name: /^Clicked twice/ })
      .first()
      .waitFor();
    expect(await page.getByRole('menuitem', { name: /^Clicked twice/ }).count()).toBe(1);
  });

  test('are applied again after a refresh, on the page that is shown', async () => {
    const page = await open(edi);
    await region(page).selectOption('Europe');
    await save(page, 'Refreshed Europe');
    await page.waitForURL(/view=/);
    const products = page
      .getByRole('navigation', { name: 'Report pages' })
      .getByRole('button', { name: 'Products' });
    await products.click();
    await products.and(page.locator('[aria-current=page]')).waitFor();
    await region(page).selectOption('All');
    await tool(page, 'Refresh').click();
    await until(page, 'Europe');
    await products.and(page.locator('[aria-current=page]')).waitFor();
  });

  test('are not saved if the dialog is cancelled before Power BI has captured them', async () => {
    const page = await open(edi);
    const dialog = await openSave(page, 'Cancelled');
    // In one step: Power BI's response would close the dialog.
    await page.evaluate(
      `for (const name of ['Save', 'Cancel'])
         [...document.querySelectorAll('[role=dialog] button')].find((button) => button.textContent === name).click();`,
    );
    await dialog.waitFor({ state: 'detached' });
    const kept = await open(edi);
    await tool(kept, 'Saved views').click();
    await kept.getByRole('menuitem', { name: 'Save current view' }).waitFor();
    expect(await kept.getByRole('menuitem', { name: /^Cancelled/ }).count()).toBe(0);
  });

  test.each([
    {
      language: 'en-US',
      menu: 'Saved views',
      item: 'Save current view',
      action: 'Save',
      reason: 'The current view is too large to save. Clear some filters.',
    },
    {
      language: 'de-DE',
      menu: 'Ansichten',
      item: 'Aktuelle Ansicht speichern',
      action: 'Speichern',
      reason: 'Die aktuelle Ansicht ist zu groß, um gespeichert zu werden. Löschen Sie einige Filter.',
    },
  ])('that are too large are refused with the reason: $language', async ({ language, ...texts }) => {
    const page = await portal.as(vic, '/health');
    await page.addInitScript(`Object.defineProperty(navigator, 'languages', { get: () => ['${language}'] })`);
    await page.goto(`${portal.url}${revenue}`);
    await tool(page, texts.menu).waitFor();
    await isShown(page, 'Revenue overview');
    const sent: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'POST' && request.url().endsWith('/views')) sent.push(request.url());
    });
    await page.evaluate(
      "window.powerbi.get(document.querySelector('.report-frame')).bookmarksManager.capture = async () => ({ state: 'ä'.repeat(35_000) })",
    );
    await tool(page, texts.menu).click();
    await page.getByRole('menuitem', { name: texts.item }).click();
    const dialog = page.getByRole('dialog', { name: texts.item });
    await dialog.getByRole('textbox').fill('Too large');
    await dialog.getByRole('button', { name: texts.action, exact: true }).click();
    await page.getByText(texts.reason).waitFor();
    expect(sent).toEqual([]);
    await dialog.getByRole('textbox').waitFor();
  });

  test('are all listed, also those of further pages', async () => {
    const page = await open(vic);
    const view = { scope: 'shared', created_by: null };
    await page.route('**/views?*', (route) =>
      route.request().url().includes('cursor=next')
        ? route.fulfill({ json: { views: [{ ...view, id: '2', name: 'On page 2' }] } })
        : route.fulfill({
            json: { views: [{ ...view, id: '1', name: 'On page 1' }] },
            headers: { Link: '</api/views?cursor=next>; rel="next"' },
          }),
    );
    await tool(page, 'Saved views').click();
    await page.getByRole('menuitem', { name: /^On page 1/ }).waitFor();
    await page.getByRole('menuitem', { name: /^On page 2/ }).waitFor();
  });

  test('that cannot be loaded are not said to be none, and are loaded when the menu is opened again', async () => {
    const page = await open(vic);
    await fails(page, '**/views?*');
    await tool(page, 'Saved views').click();
    const failure = page.getByRole('menu').getByText('The database is temporarily unavailable');
    await failure.waitFor();
    await page.keyboard.press('Escape');
    await page.unroute('**/views?*');
    await tool(page, 'Saved views').click();
    await page.getByRole('menu').waitFor();
    await failure.waitFor({ state: 'detached' });
  });

  test('stay in the address if they cannot be loaded for a moment', async () => {
    const page = await portal.as(vic, '/health');
    const problem = { status: 503, code: 'database_unavailable', title: '', detail: '', request_id: 'r-1' };
    await page.route(/\/views\/0/, (route) => route.fulfill({ status: 503, json: problem }));
    await page.goto(`${portal.url}${revenue}?view=00000000-0000-4000-8000-000000000000`);
    await page
      .getByRole('alert')
      .filter({ hasText: /database|moment|available/i })
      .first()
      .waitFor();
    expect(new URL(page.url()).searchParams.has('view')).toBe(true);
    await page.unrouteAll({ behavior: 'wait' });
  });

  test('of somebody else are reported, and the report is shown', async () => {
    const page = await open(vic, '?view=00000000-0000-4000-8000-000000000000');
    await page.getByText('Saved view not found, or not shared with you').waitFor();
    await page.waitForURL((url) => !url.searchParams.has('view'));
  });
});

/** Waits until the report has the region. */
async function until(page: Page, value: string): Promise<void> {
  await untilPasses(async () => expect(await region(page).inputValue()).toBe(value));
}
