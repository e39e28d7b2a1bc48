import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { section } from './admin.js';
import { Portal } from './portal.js';

let portal: Portal;

beforeAll(async () => {
  portal = await Portal.open();
}, 120_000);
afterEach(() => expect(portal.pageErrors).toEqual([]));
afterAll(() => portal.close());

describe('a change that fails after its page is left', () => {
  /** Changes the name, and leaves before the response: there is none. */
  async function leave(page: Page, change: () => Promise<void>, go: () => Promise<void>): Promise<void> {
    const left = Promise.withResolvers<void>();
    await page.route('**/api/users/me', (route) => left.promise.then(() => route.abort()));
    const sent = page.waitForRequest('**/api/users/me');
    await change();
    await sent;
    await go();
    const failed = page.waitForEvent('requestfailed', (request) => request.method() === 'PATCH');
    left.resolve();
    await failed;
  }

  const rename = async (page: Page): Promise<void> => {
    await page.getByRole('button', { name: 'Edit name' }).click();
    await section(page, 'Profile').getByRole('textbox', { name: 'Name' }).fill('Mina Minsky');
    await page.keyboard.press('Enter');
  };
  const translate = async (page: Page): Promise<void> => {
    await page.getByRole('combobox', { name: 'Language' }).click();
    await page.getByRole('option', { name: 'Deutsch' }).click();
  };
  const unreachable = (page: Page) => page.getByText("Can't reach the server");

  test.each([
    ['of a form', rename],
    ['of a setting', translate],
  ])('says so: %s', async (_, change) => {
    const page = await portal.as(portal.admin, '/account');
    await leave(
      page,
      () => change(page),
      async () => {
        await page.getByRole('link', { name: 'Help', exact: true }).click();
        await page.getByRole('heading', { name: 'Help', level: 1 }).waitFor();
      },
    );
    await unreachable(page).waitFor();
    expect(await unreachable(page).count()).toBe(1);
  });

  test('is not shown after a sign-out', async () => {
    const page = await portal.as(portal.admin, '/account');
    await leave(
      page,
      () => rename(page),
      async () => {
        await page.getByRole('button', { name: 'Your account' }).click();
        await page.getByRole('menuitem', { name: 'Sign out' }).click();
        await page.getByText('You signed out.').waitFor();
      },
    );
    await page.getByRole('textbox', { name: 'Email' }).fill('mina@example.com');
    expect(await unreachable(page).count()).toBe(0);
  });
});
