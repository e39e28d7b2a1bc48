import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { asAdmin } from './people.js';
import { accessibilityViolations, Portal } from './portal.js';
import { createGroup, idOf, viewer } from './viewers.js';

let portal: Portal;
/** Pages whose list or section is empty. */
const paths: string[] = [];

beforeAll(async () => {
  portal = await Portal.open();
  const group = await createGroup(portal, 'Empty group', []);
  const sales = await idOf(portal, 'workspaces', 'Sales');
  const report = await idOf(portal, 'reports', 'Pipeline');
  const created = await asAdmin(portal, 'POST', '/api/service-accounts', { name: 'Unused' });
  const account = ((await created.json()) as { id: string }).id;
  const none = 'q=matches-nothing';
  paths.push(
    '/favourites',
    `/workspaces?${none}`,
    `/workspaces/${sales}?${none}`,
    `/workspaces/${sales}?tab=access&member=matches-nothing`,
    `/reports?${none}`,
    `/reports/${report}/access?viewer=matches-nothing`,
    `/reports/${report}/access?tab=grants`,
    '/access-requests',
    `/access-review?${none}`,
    `/users?${none}`,
    '/groups?q=matches-nothing',
    `/groups/${group}`,
    `/groups/${group}?view=effective`,
    `/groups/${group}?tab=access`,
    '/invitations',
    `/invitations?${none}`,
    `/service-accounts?${none}`,
    `/service-accounts/${account}`,
    `/service-accounts/${account}?tab=access`,
    '/datasets?q=matches-nothing',
    '/embedding',
    '/embedding?tab=tokens',
    '/embedding?tab=revocations',
    '/analytics',
    '/analytics/reports',
    '/analytics/unused?unused=365',
    `/analytics/reports/${report}`,
    '/analytics/adoption',
    '/audit?ip=192.0.2.1',
    '/no-such-page',
  );
}, 120_000);
afterEach(() => expect(portal.pageErrors).toEqual([]));
afterAll(() => portal.close());

/** Waits until the page and its lists are loaded. */
async function isLoaded(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  await page.getByRole('status', { name: 'Loading' }).first().waitFor({ state: 'detached' });
  await page.waitForLoadState('networkidle');
}

async function violationsOn(page: Page, path: string): Promise<string[]> {
  await page.goto(`${portal.url}${path}`);
  await isLoaded(page);
  return (await accessibilityViolations(page)).map((violation) => `${path}: ${violation}`);
}

test('pages without rows have headings in order and no other accessibility violation', async () => {
  const page = await portal.as(portal.admin);
  const found: string[] = [];
  for (const path of paths) found.push(...(await violationsOn(page, path)));
  expect(found).toEqual([]);
}, 120_000);

test('so have the pages of a user without access', async () => {
  const page = await portal.as(await viewer(portal, 'without-access@example.com'));
  const sales = await idOf(portal, 'workspaces', 'Sales');
  const found: string[] = [];
  for (const path of [
    '/',
    '/favourites',
    '/workspaces',
    '/reports',
    `/workspaces/${sales}`,
    '/users',
    '/account',
  ])
    found.push(...(await violationsOn(page, path)));
  expect(found).toEqual([]);
});

test('an empty list has words and no picture', async () => {
  const page = await portal.as(portal.admin, '/favourites');
  const title = page.getByRole('heading', { name: 'No favourites yet' });
  await title.waitFor();
  expect(await title.locator('..').locator('svg').count()).toBe(0);
});
