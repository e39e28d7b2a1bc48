import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { until } from '../../support/until.js';
import { isShown } from './embedded.js';
import { cutButtons, cutTables, largestGap, smallTargets } from './geometry.js';
import { asAdmin } from './people.js';
import { allPlaces, type Place } from './places.js';
import { fitsWindow, screenshot, Portal, type Width } from './portal.js';
import { idOf } from './viewers.js';

let portal: Portal;
let places: Place[];

beforeAll(async () => {
  portal = await Portal.open();
  places = await allPlaces(portal);
  // Further sessions, so that Account has some to end.
  await portal.started.signIn();
}, 120_000);
afterEach(() => expect(portal.pageErrors).toEqual([]));
afterAll(() => portal.close());

/** More than the space around an empty state in a section, less than what looks like a part that is missing. */
const MAX_GAP = 112;
const longName = 'Consolidated quarterly revenue and margin analysis '.repeat(8).trim();

interface Measured {
  gap: number;
  small: string[];
  cut: string[];
  tables: string[];
  fitsWindow: boolean;
}

async function measure(page: Page, { name, path, isComplete }: Place, width: Width): Promise<Measured> {
  await page.goto(`${portal.url}${path}`);
  await isComplete(page);
  await page.getByRole('status', { name: 'Loading' }).first().waitFor({ state: 'detached' });
  await screenshot(page, `place-${name}-${width}`);
  const [gap, small, cut, tables, within] = await Promise.all([
    largestGap(page),
    smallTargets(page),
    cutButtons(page),
    // A wide table may scroll in a window that is wider than a phone.
    width === 'phone' ? cutTables(page) : [],
    fitsWindow(page),
  ]);
  return { gap, small, cut, tables, fitsWindow: within };
}

describe.each<Width>(['phone', 'desktop'])('every page (%s)', (width) => {
  const measured = new Map<string, Measured>();

  beforeAll(async () => {
    // The service limits how often a session is renewed, which every load of a page does.
    for (let first = 0; first < places.length; first += 20) {
      const page = await portal.as(portal.admin, '/workspaces', width);
      for (const place of places.slice(first, first + 20)) {
        measured.set(place.name, await measure(page, place, width));
      }
      await page.context().close();
    }
  }, 300_000);

  const failing = (isWrong: (found: Measured) => boolean) =>
    [...measured].filter(([, found]) => isWrong(found));

  test('has no large empty area', () => {
    expect(failing(({ gap }) => gap > MAX_GAP)).toEqual([]);
  });

  test('has no control below 24 x 24 pixels', () => {
    expect(failing(({ small }) => small.length > 0)).toEqual([]);
  });

  test('shows every button completely, without horizontal scrolling', () => {
    expect(failing(({ cut }) => cut.length > 0)).toEqual([]);
  });

  test('shows every column of its tables, without horizontal scrolling', () => {
    expect(failing(({ tables }) => tables.length > 0)).toEqual([]);
  });

  test('is not wider than the window', () => {
    expect(failing((found) => !found.fitsWindow)).toEqual([]);
  });
});

describe('on a phone', () => {
  test('the buttons that end a session are completely visible', async () => {
    const page = await portal.as(portal.admin, '/account', 'phone');
    const end = page.getByRole('button', { name: /^Sign out (?!all)/ }).first();
    await end.scrollIntoViewIfNeeded();
    await screenshot(page, 'account-sessions-phone');
    expect(await cutButtons(page)).toEqual([]);
    expect((await end.boundingBox())?.width).toBeGreaterThan(50);
  });

  test('the cells of a row are named by their headers', async () => {
    const page = await portal.as(portal.admin, '/users', 'phone');
    await page.getByRole('row', { name: `${portal.admin.email} Admin Active` }).waitFor();
    const label = (cell: number) =>
      page.evaluate<string>(
        `getComputedStyle(document.querySelector('.wide-table tbody tr').cells[${cell}], '::before').content`,
      );
    // Without an alternative text: the role of the header names the cell.
    expect([await label(2), await label(3)]).toEqual(['"Status" / ""', '"Last sign-in" / ""']);
    const roles = await page.evaluate(
      `[...document.querySelectorAll('.wide-table :is(table, thead, tbody, tr, th, td)')].map((each) => each.getAttribute('role'))`,
    );
    expect(new Set(roles as string[])).toEqual(new Set(['table', 'rowgroup', 'row', 'columnheader', 'cell']));
  });

  test('a grant is changed and removed without horizontal scrolling', async () => {
    const path = `/workspaces/${await idOf(portal, 'workspaces', 'Sales')}?tab=access`;
    const page = await portal.as(portal.admin, path, 'phone');
    const remove = page.getByRole('button', { name: /^Remove / }).first();
    await remove.waitFor();
    for (const button of [page.getByRole('button', { name: /^Edit / }).first(), remove]) {
      const box = await button.boundingBox();
      expect(box?.x).toBeGreaterThan(0);
      expect((box?.x ?? 999) + (box?.width ?? 0)).toBeLessThanOrEqual(360);
    }
  });

  test('a very long title leaves most of the window to the page', async () => {
    const created = await asAdmin(portal, 'POST', '/api/service-accounts', { name: longName.slice(0, 200) });
    const { id } = (await created.json()) as { id: string };
    const page = await portal.as(portal.admin, `/service-accounts/${id}`, 'phone');
    const title = page.getByRole('heading', { level: 1 });
    await title.filter({ hasText: 'Consolidated' }).waitFor();
    await screenshot(page, 'long-title-phone');
    expect((await title.boundingBox())?.height).toBeLessThanOrEqual(120);
    expect(await title.innerText()).toBe(longName.slice(0, 200).trim());
    expect(await fitsWindow(page)).toBe(true);
  });

  test('a report with a long name and a long workspace stays within the window', async () => {
    const page = await portal.as(portal.admin, '/workspaces', 'phone');
    const rename = async (path: string) =>
      page.route(path, async (route) => {
        const response = await route.fetch();
        await route.fulfill({ response, json: { ...((await response.json()) as object), name: longName } });
      });
    await rename('**/api/workspaces/*');
    const report = await idOf(portal, 'reports', 'Pipeline');
    await rename(`**/api/reports/${report}`);
    await page.goto(`${portal.url}/reports/${report}`);
    await page.getByRole('heading', { level: 1 }).filter({ hasText: 'Consolidated' }).waitFor();
    await page.getByRole('link', { name: /^Consolidated/ }).waitFor();
    const box = await page.locator('iframe').boundingBox();
    await screenshot(page, 'long-report-phone');
    expect(box?.y).toBeLessThan(500);
    expect(await fitsWindow(page)).toBe(true);
    expect(await smallTargets(page)).toEqual([]);
    await page.unrouteAll({ behavior: 'wait' });
  });

  test('a report keeps the layouts of phones when the phone is rotated', async () => {
    const path = `/reports/${await idOf(portal, 'reports', 'Revenue overview')}`;
    const page = await portal.as(portal.admin, path, 'phone');
    await isShown(page, 'Revenue overview');
    await page.setViewportSize({ width: 844, height: 390 });
    await page.evaluate(
      `void (powerbi.get(document.querySelector('.report-frame')).switchLayout = async () => { window.isFitted = true; })`,
    );
    await page.getByRole('button', { name: 'Products' }).click();
    await until(() => page.evaluate<boolean>('window.isFitted === true'));
  });
});

describe.each<Width>(['phone', 'desktop'])('the dialogs (%s)', (width) => {
  test.each([
    ['/service-accounts', 'New service account', ''],
    ['/invitations', 'Invite user', 'Add workspace'],
    ['/embedding?tab=revocations', 'Block embedding', ''],
    ['/account', 'Sign out all other sessions', ''],
  ])('%s: %s has no small control and no cut button', async (path, name, further) => {
    const page = await portal.as(portal.admin, path, width);
    await page.getByRole('button', { name }).click();
    const dialog = page.getByRole('dialog');
    await dialog.waitFor();
    if (further !== '') await dialog.getByRole('button', { name: further }).click();
    expect(await smallTargets(page)).toEqual([]);
    expect(await cutButtons(page)).toEqual([]);
  });

  test.each(['/syncs', '/datasets?policy=set'])(
    'the drawer of %s has no small control and no cut button',
    async (path) => {
      const page = await portal.as(portal.admin, path, width);
      await page.getByRole('row').nth(1).getByRole('link').first().click();
      await page.getByRole('dialog').getByRole('table').or(page.getByRole('textbox')).last().waitFor();
      expect(await smallTargets(page)).toEqual([]);
      expect(await cutButtons(page)).toEqual([]);
    },
  );
});

test('a search field leaves no empty space above the list', async () => {
  const page = await portal.as(portal.admin, '/workspaces');
  const search = await page.getByRole('searchbox', { name: 'Search workspaces' }).boundingBox();
  const list = await page.getByRole('table').boundingBox();
  expect((list?.y ?? 999) - (search?.y ?? 0) - (search?.height ?? 0)).toBeLessThanOrEqual(40);
});
