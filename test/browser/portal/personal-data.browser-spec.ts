import { readFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { pathOfUser } from './admin.js';
import { expectLayout } from './looks.js';
import { member } from './people.js';
import { Portal } from './portal.js';

let portal: Portal;

beforeAll(async () => {
  portal = await Portal.open();
}, 120_000);
afterEach(() => expect(portal.pageErrors).toEqual([]));
afterAll(() => portal.close());

type Signed = Parameters<Portal['signIn']>[1];

/** Without the dialog of the system for where to keep a file, which no test can answer. */
async function open(person: Signed, path: string): Promise<Page> {
  const page = await portal.tab(await portal.newContext());
  await page.addInitScript('delete window.showSaveFilePicker');
  return portal.signIn(page, person, path);
}

const button = (page: Page, name: string): Locator => page.getByRole('button', { name, exact: true });

/** Downloads by this button, and returns the name and the content of the file. */
async function downloaded(page: Page, name: string): Promise<[string, { account: { email: string }[] }]> {
  const coming = page.waitForEvent('download');
  await button(page, name).press('Enter');
  const download = await coming;
  await page.getByText('Export complete').waitFor();
  const { data } = JSON.parse(readFileSync(await download.path(), 'utf8')) as {
    data: { account: { email: string }[] };
  };
  return [download.suggestedFilename(), data];
}

describe('the account page', () => {
  test('downloads the own data', async () => {
    const email = 'own-data@example.com';
    const page = await open(await member(portal, email), '/account');
    const [name, { account }] = await downloaded(page, 'Download my data');
    expect(name).toMatch(/^vitrine-personal-data-[0-9a-f-]{36}\.json$/);
    expect(account).toMatchObject([{ email }]);
    await expectLayout(page, 'account-own-data');
  });

  test('shows the progress, which can be cancelled, and an error', async () => {
    const page = await open(await member(portal, 'slow-data@example.com'), '/account');
    const held = Promise.withResolvers<void>();
    await page.route('**/api/users/me/export', async (route) => {
      await held.promise;
      await route.abort().catch(() => undefined);
    });
    await button(page, 'Download my data').click();
    await page.getByText('Exporting:').waitFor();
    await button(page, 'Cancel').click();
    await page.getByText('Exporting:').waitFor({ state: 'detached' });
    held.resolve();
    await page.unroute('**/api/users/me/export');
    await page.route('**/api/users/me/export', (route) => route.abort());
    await button(page, 'Download my data').click();
    await page.getByRole('alert').waitFor();
  });
});

describe('the page of a user', () => {
  test('downloads the data of the user', async () => {
    const email = 'their-data@example.com';
    await member(portal, email);
    const page = await open(portal.admin, await pathOfUser(portal, email));
    const [name, { account }] = await downloaded(page, 'Download personal data');
    expect(page.url()).toContain(/data-([0-9a-f-]{36})\.json$/.exec(name)?.[1]);
    expect(account).toMatchObject([{ email }]);
    await expectLayout(page, 'user-personal-data');
  });
});
