import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { difference, normalize, TOLERANCE } from './baseline.js';
import { allPlaces, type Place } from './places.js';
import { CHROMIUM } from '../../support/chromium.js';
import { Portal, type Width } from './portal.js';

const main = [
  'home',
  'workspaces',
  'workspace',
  'workspace-access',
  'reports',
  'report',
  'report-access',
  'group',
  'access-review',
  'users',
  'user-access',
  'invitations',
  'service-account',
  'datasets',
  'account',
];

let portal: Portal;
let places: Place[];

beforeAll(async () => {
  portal = await Portal.open({}, CHROMIUM);
  places = await allPlaces(portal);
}, 300_000);
afterAll(() => portal.close());

async function open(width: Width): Promise<Page> {
  const page = await portal.as(portal.admin, '/health', width);
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  await normalize(page);
  return page;
}

test.each<Width>(['phone', 'desktop'])(
  'the main pages match the committed images (%s)',
  async (width) => {
    const page = await open(width);
    const found: [string, number][] = [];
    for (const { name, path, isComplete } of places.filter((place) => main.includes(place.name))) {
      await page.goto(`${portal.url}${path}`);
      await isComplete(page);
      await page.evaluate('document.fonts.ready');
      // The greeting depends on the time of day.
      if (name === 'home') await page.evaluate(`document.querySelector('h1').textContent = 'Good morning'`);
      found.push([name, await difference(page, `${name}-${width}`)]);
    }
    expect(found.filter(([, share]) => share > TOLERANCE)).toEqual([]);
  },
  900_000,
);

test('a wide window has content of 1,280 px, rows of 40 px, and a report to its edge', async () => {
  const page = await portal.as(portal.admin, '/health');
  const size = { width: 1920, height: 1080 };
  await page.setViewportSize(size);
  await page.goto(`${portal.url}/workspaces`);
  const row = page.getByRole('row', { name: /^Sales/ }).first();
  await row.waitFor();
  expect((await page.locator('.shell-content').boundingBox())?.width).toBe(1280);
  // With its border.
  const height = (await row.boundingBox())?.height;
  expect(height).toBeGreaterThanOrEqual(40);
  expect(height).toBeLessThanOrEqual(41);
  const { path, isComplete } = places.find(({ name }) => name === 'report')!;
  await page.goto(`${portal.url}${path}`);
  await isComplete(page);
  const frame = await page.locator('iframe').boundingBox();
  expect(frame?.width).toBeGreaterThan(1280);
  expect((frame?.x ?? 0) + (frame?.width ?? 0)).toBeGreaterThan(size.width - 2);
});

test.each<Width>(['phone', 'desktop'])('the sign-in page matches the committed image (%s)', async (width) => {
  const page = await portal.tab(await portal.newContext(width));
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  await normalize(page);
  await page.goto(`${portal.url}/sign-in`);
  await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor();
  await page.evaluate('document.fonts.ready');
  expect(await difference(page, `sign-in-${width}`)).toBeLessThanOrEqual(TOLERANCE);
});
