import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { accessibilityViolations, screenshot, Portal, type Width } from './portal.js';

let portal: Portal;

beforeAll(async () => {
  portal = await Portal.open();
}, 120_000);
afterAll(() => portal.close());

test.each<Width>(['phone', 'desktop'])('workspaces are listed and searched (%s)', async (width) => {
  const page = await portal.as(portal.admin, '/workspaces', width);
  await page.getByRole('link', { name: 'Sales' }).waitFor();
  await screenshot(page, `workspaces-${width}`);
  expect(await accessibilityViolations(page)).toEqual([]);
  await page.getByRole('searchbox', { name: 'Search workspaces' }).fill('fin');
  await page.getByRole('link', { name: 'Sales' }).waitFor({ state: 'detached' });
  expect(new URL(page.url()).searchParams.get('q')).toBe('fin');
  await page.getByRole('link', { name: 'Finance' }).waitFor();
  expect(portal.pageErrors).toEqual([]);
});

test('a search without results shows this', async () => {
  const page = await portal.as(portal.admin, '/workspaces?q=nothing-like-it');
  await page.getByText('No workspaces match “nothing-like-it”').waitFor();
});
