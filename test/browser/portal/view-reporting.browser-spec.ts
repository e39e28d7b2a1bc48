import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { until } from '../../support/until.js';
import { inside, isShown, renewEvery, tokenCalls } from './embedded.js';
import { Portal } from './portal.js';
import { idOf } from './viewers.js';

let portal: Portal;

beforeAll(async () => {
  portal = await Portal.open();
}, 120_000);
afterEach(() => expect(portal.pageErrors).toEqual([]));
afterAll(() => portal.close());

interface Figures {
  views: number;
  page_views: number;
  seconds: number;
  failures: number;
  opening_ms: { p50: number | null };
  pages: { name: string | null; views: number }[];
}

/** A report that no other test opens, shown in a page whose clock can be advanced. */
async function read(name: string, prepare?: (page: Page) => Promise<void>) {
  const id = await idOf(portal, 'reports', name);
  const page = await portal.as(portal.admin, '/reports');
  await page.clock.install();
  await prepare?.(page);
  const began = Date.now();
  await page.goto(`${portal.url}/reports/${id}`);
  await isShown(page, name);
  return { page, id, secondsSince: () => (Date.now() - began) / 1000 };
}

/** The figures of a report once its view with this visible time is part of them. */
async function figures(id: string, seconds: number): Promise<Figures> {
  const token = await portal.started.signIn();
  return until(async () => {
    const found = await portal.started.get<Figures>(`/api/usage/reports/${id}`, token);
    return found.seconds >= seconds && found;
  });
}

const setVisibility = (page: Page, state: 'visible' | 'hidden'): Promise<void> =>
  page.evaluate(`Object.defineProperty(document, 'visibilityState', { configurable: true, value: '${state}' });
    document.dispatchEvent(new Event('visibilitychange'));`);

const leave = async (page: Page): Promise<void> => {
  await page.getByRole('link', { name: 'Reports', exact: true }).first().click();
  await page.getByRole('heading', { name: 'Reports', level: 1 }).waitFor();
};

describe('a report in the portal', () => {
  test('is one view with its visible time, through renewals of its token', async () => {
    const name = 'Revenue overview';
    const { page, id, secondsSince } = await read(name, (opened) => renewEvery(opened, 30));
    const calls = tokenCalls(page);
    await page.getByRole('button', { name: 'Products' }).click();
    await inside(page).locator('tbody').waitFor();
    for (let renewals = 0; renewals < 3; renewals += 1) {
      const renewed = page.waitForResponse('**/embed-token');
      await page.clock.fastForward(31_000);
      await renewed;
    }
    await leave(page);
    expect(calls.length).toBeGreaterThanOrEqual(3);
    const found = await figures(id, 93);
    expect(found).toMatchObject({ views: 1, page_views: 2, failures: 0 });
    expect(new Set(found.pages.map((each) => each.name))).toEqual(new Set(['Overview', 'Products']));
    expect(found.seconds).toBeLessThanOrEqual(93 + Math.ceil(secondsSince()));
    expect(found.opening_ms.p50).toBeGreaterThan(0);
  });

  test('does not count while its tab is hidden, when it reports what was visible', async () => {
    const { page, id, secondsSince } = await read('Pipeline');
    await page.clock.fastForward(40_000);
    const sent = page.waitForRequest('**/api/usage/events');
    await setVisibility(page, 'hidden');
    expect((await sent).postData()).toContain('closed');
    await figures(id, 40);
    await page.clock.fastForward(80_000);
    await setVisibility(page, 'visible');
    await page.clock.fastForward(10_000);
    await leave(page);
    const found = await figures(id, 50);
    expect(found).toMatchObject({ views: 1, page_views: 1 });
    expect(found.seconds).toBeLessThanOrEqual(50 + Math.ceil(secondsSince()));
  });

  test('is reported when its tab is closed, and twice when it is opened twice', async () => {
    const { page, id } = await read('Cash flow');
    await page.clock.fastForward(20_000);
    await page.close({ runBeforeUnload: true });
    expect(await figures(id, 20)).toMatchObject({ views: 1 });
    const second = await portal.as(portal.admin, `/reports/${id}`);
    await isShown(second, 'Cash flow');
    await leave(second);
    await until(async () => (await figures(id, 20)).views === 2);
  });
});
