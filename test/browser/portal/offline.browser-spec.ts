import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { expectLayout } from './looks.js';
import { Portal, type Width } from './portal.js';

let portal: Portal;

beforeAll(async () => {
  portal = await Portal.open();
}, 120_000);
afterEach(() => expect(portal.pageErrors).toEqual([]));
afterAll(() => portal.close());

const chunk = '**/assets/account-*.js';

const heading = (page: Page, name: string) => page.getByRole('heading', { name, level: 1 });

/** Opens a page whose files this tab has not loaded yet. */
async function openAccount(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Your account' }).click();
  await page.getByRole('menuitem', { name: 'Account' }).click();
}

async function isInShell(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Your account' }).waitFor();
  await page.getByRole('link', { name: 'Workspaces', exact: true }).first().waitFor({ state: 'attached' });
}

describe('a page that is not loaded yet', () => {
  test.each<Width>(['phone', 'desktop'])(
    'shows the offline state inside the shell, and loads when the browser is online (%s)',
    async (width) => {
      const page = await portal.as(portal.admin, '/workspaces', width);
      await page.getByRole('link', { name: 'Sales' }).waitFor();
      await page.context().setOffline(true);
      await openAccount(page);
      await page.getByRole('alert').getByText('You are offline').waitFor();
      await isInShell(page);
      await expectLayout(page, `offline-${width}`);
      await page.context().setOffline(false);
      await heading(page, 'Account').waitFor();
      await page.getByRole('region', { name: 'Profile', exact: true }).waitFor();
    },
  );

  test('leaves the loaded pages usable', async () => {
    const page = await portal.as(portal.admin, '/workspaces');
    await page.getByRole('link', { name: 'Sales' }).waitFor();
    await page.context().setOffline(true);
    await openAccount(page);
    await page.getByRole('alert').getByText('You are offline').waitFor();
    await page.getByRole('link', { name: 'Workspaces', exact: true }).click();
    await page.getByRole('link', { name: 'Sales' }).waitFor();
    await page.context().setOffline(false);
  });

  test('shows that the service is unreachable, and loads when it responds again', async () => {
    const page = await portal.as(portal.admin, '/workspaces');
    await page.route(chunk, (route) => route.abort());
    await page.route('**/sign-in', (route) => route.fulfill({ status: 503 }));
    await openAccount(page);
    await page.getByRole('alert').getByText('The service is unavailable').waitFor();
    await page.unrouteAll();
    await page.getByRole('button', { name: 'Try again' }).click();
    await heading(page, 'Account').waitFor();
  });

  test('shows that the service was updated, when the build has changed', async () => {
    const page = await portal.as(portal.admin, '/workspaces');
    await page.route(chunk, (route) => route.fulfill({ status: 404 }));
    await page.route('**/sign-in', async (route) => {
      const response = await route.fetch();
      const body = (await response.text()).replace(/assets\/index-[\w-]+\.js/, 'assets/index-newer.js');
      await route.fulfill({ response, body });
    });
    await openAccount(page);
    await page.getByRole('alert').getByText('A new version is available').waitFor();
    await isInShell(page);
    await page.unrouteAll();
    await page.getByRole('button', { name: 'Reload' }).click();
    await heading(page, 'Account').waitFor();
  });

  test('shows an error, when the build is unchanged', async () => {
    const page = await portal.as(portal.admin, '/workspaces');
    await page.route(chunk, (route) => route.abort());
    await openAccount(page);
    await page.getByRole('alert').getByText('Something went wrong').waitFor();
    await isInShell(page);
    await page.getByRole('link', { name: 'Go to Home' }).click();
    await page.getByRole('link', { name: 'Sales' }).waitFor();
    await page.unrouteAll();
  });
});

test('keeps the shell when rendering fails', async () => {
  const page = await portal.as(portal.admin, '/workspaces');
  // Not what the page counts on.
  await page.route('**/api/auth/sessions', (route) => route.fulfill({ json: { sessions: null } }));
  await openAccount(page);
  await page.getByRole('alert').getByText('Something went wrong').waitFor();
  await isInShell(page);
  await page.unrouteAll();
  await page.getByRole('button', { name: 'Reload' }).click();
  await heading(page, 'Account').waitFor();
});

test('keeps the shell when the files of Microsoft’s client cannot be loaded', async () => {
  const page = await portal.as(portal.admin, '/reports');
  await page.route('**/assets/power-bi-frame-*.js', (route) => route.abort());
  await page.getByRole('link', { name: 'Pipeline' }).click();
  await page.getByRole('alert').getByText('Something went wrong').waitFor();
  await isInShell(page);
  await page.unrouteAll();
  await page.getByRole('button', { name: 'Reload' }).click();
  await page.getByRole('heading', { name: 'Pipeline', level: 1 }).waitFor();
});

test('a list that failed offline is loaded again when the browser is online', async () => {
  const page = await portal.as(portal.admin, '/workspaces');
  await page.getByRole('link', { name: 'Reports', exact: true }).click();
  await page.getByRole('link', { name: 'Pipeline' }).waitFor();
  await page.context().setOffline(true);
  await page.getByRole('searchbox', { name: 'Search reports' }).fill('pipe');
  await page.getByRole('alert').getByText("Can't reach the server").waitFor();
  await page.context().setOffline(false);
  await page.getByRole('alert').getByText("Can't reach the server").waitFor({ state: 'detached' });
  await page.getByRole('link', { name: 'Pipeline' }).waitFor();
});
