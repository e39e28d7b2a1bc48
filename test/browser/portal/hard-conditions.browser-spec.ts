import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { isShown } from './embedded.js';
import { cutButtons } from './geometry.js';
import { everyPlace } from './language-walk.js';
import { asAdmin } from './people.js';
import type { Place } from './places.js';
import { fitsWindow, Portal, screenshot } from './portal.js';
import { cutTexts } from './texts.js';

let portal: Portal;
let places: Place[];

beforeAll(async () => {
  portal = await Portal.open();
  places = await everyPlace(portal);
}, 300_000);
afterEach(() => expect(portal.pageErrors).toEqual([]));
afterAll(() => portal.close());

const conditions = [
  // A window of 1280 x 900 pixels at 200 %, and at 400 % (WCAG 1.4.10).
  ['zoom-200', { width: 640, height: 450 }],
  ['zoom-400', { width: 320, height: 256 }],
  ['landscape', { width: 844, height: 390 }],
] as const;

/** The service limits how often a session is renewed, which every load of a page does. */
const PAGES_PER_SESSION = 20;

async function open(path: string, size = { width: 1280, height: 900 }): Promise<Page> {
  const page = await portal.as(portal.admin, '/health');
  await page.setViewportSize(size);
  await page.goto(`${portal.url}${path}`);
  return page;
}

async function misfits(page: Page): Promise<string[]> {
  const title = await page.getByRole('heading', { level: 1 }).first().boundingBox();
  return [
    ...((title?.width ?? 0) >= 40 ? [] : ['no title']),
    ...((await fitsWindow(page)) ? [] : ['wider than the window']),
    ...(await cutButtons(page)),
    ...(await cutTexts(page)),
  ];
}

test.each(conditions)(
  'every page is usable: %s',
  async (name, size) => {
    let page = await open('/health', size);
    const found: Record<string, string[]> = {};
    for (const [index, place] of places.entries()) {
      if (index > 0 && index % PAGES_PER_SESSION === 0) {
        await page.context().close();
        page = await open('/health', size);
      }
      await page.goto(`${portal.url}${place.path}`);
      await place.isComplete(page);
      await screenshot(page, `hard-${name}-${place.name}`);
      const wrong = await misfits(page);
      if (wrong.length > 0) found[place.name] = wrong;
    }
    expect(found).toEqual({});
  },
  300_000,
);

/** The last action is inside of the window, and the report begins in its upper part. */
async function showsActions(page: Page, size: { width: number; height: number }): Promise<void> {
  const action = await page.getByRole('button', { name: 'More actions' }).boundingBox();
  expect((action?.x ?? 0) + (action?.width ?? Infinity)).toBeLessThanOrEqual(size.width);
  const frame = await page.locator('iframe').boundingBox();
  expect(frame?.y).toBeLessThan(size.height * 0.6);
}

/** A response in which this text is replaced. */
async function rename(page: Page, url: RegExp, from: string, to: string): Promise<void> {
  await page.route(url, async (route) => {
    const response = await route.fetch();
    const body = (await response.text()).replaceAll(JSON.stringify(from), JSON.stringify(to));
    await route.fulfill({ response, body });
  });
}

/** Pages that show the name of a report. The last one has no frame, which would keep the keys. */
const titled = ['home', 'favourites', 'workspace', 'reports', 'report', 'report-access'];

/** Shows the report Pipeline as a favourite, with another name. */
async function favours(page: Page, name: string): Promise<void> {
  const { path } = places.find((place) => place.name === 'report')!;
  const report = (await (await asAdmin(portal, 'GET', `/api${path}`)).json()) as object;
  await page.route('**/api/users/me/favourites', (route) =>
    route.fulfill({ json: { favourites: [{ ...report, name }] } }),
  );
}

describe.each([
  ['desktop', { width: 1280, height: 900 }],
  ['phone', { width: 390, height: 844 }],
  ['landscape', { width: 844, height: 390 }],
])('names (%s)', (name, size) => {
  const title = 'Consolidated quarterly revenue '.repeat(7).slice(0, 200).trim();
  const unbroken = 'Umsatzsteuervoranmeldung'.repeat(9).slice(0, 200);

  test.each([
    ['words', title],
    ['unbroken', unbroken],
  ])('of 200 characters fit: %s', async (kind, text) => {
    const page = await open('/health', size);
    await rename(page, /\/api\/(reports|users\/me|search)/, 'Pipeline', text);
    await favours(page, text);
    for (const place of places.filter(({ name: each }) => titled.includes(each))) {
      await page.goto(`${portal.url}${place.path}`);
      await page.getByText(text).first().waitFor();
      if (place.name === 'report') await showsActions(page, size);
      await screenshot(page, `hard-title-${kind}-${place.name}-${name}`);
      expect([place.name, ...(await misfits(page))]).toEqual([place.name]);
    }
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: /^Search/ }).fill('pipe');
    await page.getByRole('option').filter({ hasText: text }).first().waitFor();
    await screenshot(page, `hard-title-${kind}-search-${name}`);
    expect(await cutTexts(page)).toEqual([]);
    await page.unrouteAll({ behavior: 'wait' });
  });

  test('from right to left keep their place', async () => {
    const arabic = 'ليلى عبد الرحمن';
    const hebrew = 'מכירות (רבעון 4)';
    const { status } = await asAdmin(portal, 'POST', '/api/groups', { name: `${hebrew} ${name}` });
    expect(status).toBe(201);
    const page = await open('/health', size);
    await rename(page, /\/api\//, 'Mina Member', arabic);
    await rename(page, /\/api\/reports/, 'Pipeline', `${arabic} – Q4`);
    for (const place of places.filter(({ name: each }) => ['users', 'groups', 'report'].includes(each))) {
      await page.goto(`${portal.url}${place.path}`);
      const expected = { users: arabic, groups: hebrew, report: arabic }[place.name] ?? '';
      await page.getByText(expected).first().waitFor();
      await screenshot(page, `hard-rtl-${place.name}-${name}`);
      expect([place.name, ...(await misfits(page))]).toEqual([place.name]);
    }
    await page.unrouteAll({ behavior: 'wait' });
  });
});

test('offline and back, a report that is open stays, and other pages load again', async () => {
  const { path = '' } = places.find(({ name }) => name === 'report') ?? {};
  const page = await open(path);
  await isShown(page, 'Pipeline');
  await page.context().setOffline(true);
  await page.getByRole('heading', { name: 'Pipeline', level: 1 }).first().waitFor();
  await page.getByRole('link', { name: 'Favourites', exact: true }).click();
  await page.getByRole('alert').first().waitFor();
  await screenshot(page, 'hard-offline');
  expect(await misfits(page)).toEqual([]);
  await page.getByRole('button', { name: 'Your account' }).waitFor();
  await page.context().setOffline(false);
  await page.getByRole('heading', { name: 'No favourites yet' }).waitFor();
  expect(await page.getByRole('alert').count()).toBe(0);
});

test('an update under an open tab is announced inside the shell, and Reload opens the page', async () => {
  const page = await open('/reports');
  await page.getByRole('row', { name: /Pipeline/ }).waitFor();
  await page.route('**/assets/favourites-*.js', (route) => route.fulfill({ status: 404 }));
  await page.route('**/sign-in', async (route) => {
    const response = await route.fetch();
    const body = (await response.text()).replace(/assets\/index-[\w-]+\.js/, 'assets/index-newer.js');
    await route.fulfill({ response, body });
  });
  await page.getByRole('link', { name: 'Favourites', exact: true }).click();
  await page.getByRole('alert').getByText('A new version is available').waitFor();
  await screenshot(page, 'hard-updated');
  expect(await misfits(page)).toEqual([]);
  await page.unrouteAll();
  await page.getByRole('button', { name: 'Reload' }).click();
  await page.getByRole('heading', { name: 'No favourites yet' }).waitFor();
});
