import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { until } from '../../support/until.js';
import { isShown } from './embedded.js';
import { expectLayout } from './looks.js';
import { Portal, type Width } from './portal.js';
import { idOf, viewer } from './viewers.js';

let portal: Portal;

beforeAll(async () => {
  portal = await Portal.open();
}, 120_000);
afterEach(() => expect(portal.pageErrors).toEqual([]));
afterAll(() => portal.close());

const field = (page: Page) => page.getByRole('combobox', { name: /^Search/ });
const active = async (page: Page): Promise<string> => {
  const id = await field(page).getAttribute('aria-activedescendant');
  return page.locator(`[id="${id}"]`).innerText();
};
const option = (page: Page, name: RegExp) => page.getByRole('option', { name });

describe('by keyboard only', () => {
  test('a report is found and opened, and its heading has focus', async () => {
    const page = await portal.as(portal.admin);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.keyboard.press('Control+k');
    await field(page).and(page.locator(':focus')).waitFor();
    await page.keyboard.type('pipe');
    await option(page, /^Pipeline/).waitFor();
    await page.locator('[aria-selected=true]').filter({ hasText: 'Pipeline' }).waitFor();
    await page.keyboard.press('Enter');
    await isShown(page, 'Pipeline');
    await page.getByRole('heading', { name: 'Pipeline', level: 1 }).and(page.locator(':focus')).waitFor();
  });

  test('Enter opens the first result, also when it is pressed before the results are there', async () => {
    const page = await portal.as(portal.admin);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.keyboard.press('Control+k');
    await field(page).waitFor();
    await page.keyboard.type('headcount');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Headcount', level: 1 }).waitFor();
  });

  test('the arrow keys move the active option, around the ends', async () => {
    const page = await portal.as(portal.admin);
    await page.keyboard.press('Control+k');
    await field(page).fill('re');
    await option(page, /^Revenue overview/).waitFor();
    await option(page, /^Favourites/).waitFor({ state: 'detached' });
    await page
      .getByRole('status')
      .filter({ hasText: /results$/ })
      .waitFor();
    const first = await active(page);
    await page.keyboard.press('ArrowDown');
    expect(await active(page)).not.toBe(first);
    await page.keyboard.press('ArrowUp');
    expect(await active(page)).toBe(first);
    await page.keyboard.press('ArrowUp');
    expect(await active(page)).toBe(await page.getByRole('option').last().innerText());
    expect(await page.getByRole('option', { selected: true }).count()).toBe(1);
  });

  test('Escape closes it and returns the focus', async () => {
    const page = await portal.as(portal.admin, '/reports');
    const filter = page.getByRole('searchbox', { name: 'Search reports' });
    await filter.focus();
    await page.keyboard.press('Control+k');
    await field(page).and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await filter.and(page.locator(':focus')).waitFor();
    const button = page.getByRole('button', { name: /^Search reports/ });
    await button.press('Enter');
    await field(page).waitFor();
    await page.keyboard.press('Escape');
    await button.and(page.locator(':focus')).waitFor();
  });
});

/** What the person opened last, as the service has stored it. */
async function recents(person: { email: string; password: string }): Promise<{ name: string }[]> {
  const { started } = portal;
  const response = await started.post('/api/auth/token', person);
  const { access_token } = (await response.json()) as { access_token: string };
  return (await started.get<{ recents: { name: string }[] }>('/api/users/me/recents', access_token)).recents;
}

describe('the results', () => {
  test('are what was opened last while the field is empty', async () => {
    const ana = await viewer(portal, 'ana@example.com', { Finance: 'viewer' });
    const page = await portal.as(ana, `/reports/${await idOf(portal, 'reports', 'Cash flow')}`);
    await isShown(page, 'Cash flow');
    await until(async () => (await recents(ana)).some(({ name }) => name === 'Cash flow'));
    await page.keyboard.press('Control+k');
    await option(page, /^Cash flow/).waitFor();
    expect(await page.getByRole('option').first().innerText()).toMatch(/^Cash flow/);
  });

  test('are within the rights of the person', async () => {
    const ben = await viewer(portal, 'ben@example.com', { Finance: 'viewer' });
    const page = await portal.as(ben);
    await page.keyboard.press('Control+k');
    await field(page).fill('pipeline');
    await page.getByText('No results for “pipeline”').waitFor();
    await field(page).fill('users');
    await page.getByText('No results for “users”').waitFor();
  });

  test('contain workspaces, people and pages for an admin', async () => {
    const page = await portal.as(portal.admin);
    await page.keyboard.press('Control+k');
    await field(page).fill('fin');
    await option(page, /^Finance\s*Workspace/).waitFor();
    await field(page).fill(portal.admin.email);
    await option(page, new RegExp(portal.admin.email)).waitFor();
    await field(page).fill('datas');
    await option(page, /^Datasets\s*Page/).click();
    await page.getByRole('heading', { name: 'Datasets', level: 1 }).waitFor();
  });

  test.each<Width>(['phone', 'desktop'])('have no accessibility finding (%s)', async (width) => {
    const page = await portal.as(portal.admin, '/', width);
    await page.getByRole('button', { name: /^Search reports/ }).click();
    await field(page).fill('re');
    await option(page, /Revenue/)
      .first()
      .waitFor();
    await expectLayout(page, `search-${width}`);
  });

  test('a failure is shown instead of an empty result', async () => {
    const page = await portal.as(portal.admin);
    const problem = { status: 503, code: 'database_unavailable', title: '', detail: '', request_id: 'r-1' };
    await page.route('**/api/search?*', (route) => route.fulfill({ status: 503, json: problem }));
    await page.keyboard.press('Control+k');
    await field(page).fill('zzz');
    await page.getByRole('alert').getByText('database_unavailable').waitFor();
    expect(await page.getByText(/^No results/).count()).toBe(0);
  });
});
