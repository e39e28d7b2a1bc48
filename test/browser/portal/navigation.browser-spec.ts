import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { expectLayout } from './looks.js';
import { Portal, type Width } from './portal.js';
import { viewer } from './viewers.js';

let portal: Portal;

beforeAll(async () => {
  portal = await Portal.open();
}, 120_000);
afterEach(() => expect(portal.pageErrors).toEqual([]));
afterAll(() => portal.close());

const navigation = (page: Page) => page.getByRole('navigation', { name: 'Pages', exact: true });
const entries = (page: Page) => navigation(page).getByRole('link').allInnerTexts();
const readers = ['Home', 'Favourites', 'Workspaces', 'Reports'];
const openAdmin = (page: Page) => navigation(page).getByRole('link', { name: 'Admin' }).click();

describe('the navigation', () => {
  test('of a reader contains only what readers use', async () => {
    const page = await portal.as(await viewer(portal, 'rea@example.com', { Sales: 'viewer' }));
    await navigation(page).getByRole('link', { name: 'Home' }).waitFor();
    await page.getByRole('link', { name: 'Sales' }).first().waitFor();
    expect(await entries(page)).toEqual(readers);
  });

  test('of a manager has an Admin switch to what managers may do', async () => {
    const page = await portal.as(await viewer(portal, 'mia@example.com', { Sales: 'manager' }));
    await openAdmin(page);
    await page.getByRole('heading', { name: 'Invitations', level: 1 }).waitFor();
    expect(await entries(page)).toEqual([
      'Back to reports',
      'Invitations',
      'Access requests',
      'Access reviews',
      'Embedding',
      'Analytics',
    ]);
    await navigation(page).getByRole('link', { name: 'Embedding' }).click();
    await page.getByRole('heading', { name: 'Embedding', level: 1 }).waitFor();
    await navigation(page).getByRole('link', { name: 'Back to reports' }).click();
    await navigation(page).getByRole('link', { name: 'Favourites' }).waitFor();
    expect(await entries(page)).toEqual([...readers, 'Admin']);
  });

  test('of an admin groups all pages, and every entry opens its page', async () => {
    const page = await portal.as(portal.admin, '/users');
    const group = (name: string) => navigation(page).getByRole('group', { name });
    for (const name of ['People', 'Content', 'Insights', 'Settings']) await group(name).waitFor();
    await group('People')
      .getByRole('link', { name: 'Users' })
      .and(page.locator('[aria-current=page]'))
      .waitFor();
    for (const name of (await entries(page)).slice(1)) {
      await navigation(page).getByRole('link', { name, exact: true }).click();
      await navigation(page)
        .getByRole('link', { name, exact: true })
        .and(page.locator('[aria-current=page]'))
        .waitFor();
      await page.getByRole('heading', { level: 1 }).waitFor();
      expect(await page.getByText('Page not found').count()).toBe(0);
    }
  });

  test.each<Width>(['phone', 'desktop'])('has no accessibility finding (%s)', async (width) => {
    const page = await portal.as(portal.admin, '/health', width);
    await page.getByText('All systems operational').waitFor();
    if (width === 'phone') await page.getByRole('button', { name: 'Open menu' }).click();
    await navigation(page).getByRole('link', { name: 'Status' }).waitFor();
    await expectLayout(page, `navigation-admin-${width}`);
  });

  test('shows the focus ring of an entry completely', async () => {
    const page = await portal.as(portal.admin);
    const home = navigation(page).getByRole('link', { name: 'Home' });
    await home.focus();
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Tab');
    const offset = 'getComputedStyle(document.activeElement).outlineOffset';
    expect(Number.parseInt(await page.evaluate<string>(offset), 10)).toBeLessThanOrEqual(0);
  });
});

describe('the user menu', () => {
  test('opens by keyboard, and Escape returns the focus', async () => {
    const page = await portal.as(portal.admin);
    const account = page.getByRole('button', { name: 'Your account' });
    await account.press('Enter');
    await page.getByRole('menuitem', { name: 'System status' }).waitFor();
    await expectLayout(page, 'user-menu');
    await page.keyboard.press('Escape');
    await account.and(page.locator(':focus')).waitFor();
  });
});

describe('the help', () => {
  test.each<Width>(['phone', 'desktop'])('is in the header (%s)', async (width) => {
    const page = await portal.as(await viewer(portal, `hal-${width}@example.com`), '/', width);
    await page.getByRole('banner').getByRole('link', { name: 'Help' }).click();
    await page.getByRole('heading', { name: 'Help', level: 1 }).waitFor();
    await page.getByText('Contact an administrator of this portal.').waitFor();
    await expectLayout(page, `help-${width}`);
    await page.getByRole('link', { name: 'Your access requests' }).click();
    await page.getByRole('heading', { name: 'Access requests', level: 1 }).waitFor();
  });
});

describe('an unknown address', () => {
  test('keeps the navigation for people who are signed in', async () => {
    const page = await portal.as(portal.admin, '/no/such/page');
    await page.getByRole('heading', { name: 'Page not found', level: 1 }).waitFor();
    expect(await page.title()).toBe('Page not found · Vitrine');
    await expectLayout(page, 'not-found');
    await navigation(page).getByRole('link', { name: 'Reports' }).click();
    await page.getByRole('heading', { name: 'Reports', level: 1 }).waitFor();
  });

  test('is reported to others without a sign-in', async () => {
    const page = await portal.tab(await portal.newContext());
    await page.goto(`${portal.url}/no/such/page`);
    await page.getByRole('heading', { name: 'Page not found', level: 1 }).waitFor();
    expect(await page.getByRole('navigation').count()).toBe(0);
  });
});

test('a page for admins tells others who can help', async () => {
  const page = await portal.as(await viewer(portal, 'vic@example.com'), '/users');
  await page.getByRole('heading', { name: 'Only administrators can view this page' }).waitFor();
  await expectLayout(page, 'access-denied');
});
