import { mkdirSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { isShown } from './embedded.js';
import { asAdmin } from './people.js';
import { Portal } from './portal.js';
import { untilCounted } from './usage.js';
import { idOf } from './viewers.js';

/** With DOCUMENT_IMAGES=1 the images of the documents are written; otherwise the same pages are only opened. */
const folder = process.env.DOCUMENT_IMAGES === undefined ? '.data/screenshots/documents' : 'docs/images';
const MAX_BYTES = 600_000;

let portal: Portal;
let page: Page;

beforeAll(async () => {
  mkdirSync(folder, { recursive: true });
  portal = await Portal.open({ DEMO_DATA: 'true' });
  await untilCounted(portal);
  await asAdmin(portal, 'PUT', '/api/settings/onboarding', { dismissed: true });
  for (const name of ['Revenue overview', 'Cash flow', 'Headcount'])
    await asAdmin(portal, 'PUT', `/api/reports/${await idOf(portal, 'reports', name)}/favourite`);
  page = await portal.as(portal.admin, '/');
  await page.setViewportSize({ width: 1280, height: 720 });
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
}, 180_000);
afterEach(() => expect(portal.pageErrors).toEqual([]));
afterAll(() => portal.close());

async function picture(name: string): Promise<void> {
  await page.waitForLoadState('networkidle');
  await page.mouse.move(0, 0);
  await page.screenshot({ path: join(folder, `${name}.png`) });
}

test('a report', async () => {
  await page.goto(`${portal.url}/reports/${await idOf(portal, 'reports', 'Revenue overview')}`);
  await isShown(page, 'Revenue overview');
  await picture('portal');
});

test('Home', async () => {
  await page.goto(`${portal.url}/`);
  await page.getByRole('region', { name: 'Favourites' }).getByRole('link', { name: 'Cash flow' }).waitFor();
  await picture('portal-home');
});

test('an admin page', async () => {
  await page.goto(`${portal.url}/analytics`);
  await page
    .getByRole('img', { name: /^Chart/ })
    .first()
    .waitFor();
  await picture('portal-admin');
});

test('the branding', async () => {
  await page.goto(`${portal.url}/settings/branding`);
  await page.getByRole('textbox', { name: 'Product name' }).waitFor();
  await picture('portal-branding');
});

test('the committed images are small', () => {
  const images = readdirSync('docs/images').map((name) => join('docs/images', name));
  expect(images.length).toBeGreaterThanOrEqual(4);
  expect(images.reduce((sum, path) => sum + statSync(path).size, 0)).toBeLessThan(MAX_BYTES);
});
