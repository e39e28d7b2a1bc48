import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { Page, Route } from 'playwright-core';
import { confirm, pathOfUser, section } from './admin.js';
import { disable, member } from './people.js';
import { Portal } from './portal.js';

let portal: Portal;

beforeAll(async () => {
  portal = await Portal.open();
}, 120_000);
afterEach(() => expect(portal.pageErrors).toEqual([]));
afterAll(() => portal.close());

/** Makes the responses to a request wait, and returns what ends the wait: the requests then get this response. */
async function hold(page: Page, path: string, respond: (route: Route) => Promise<void>) {
  const held = Promise.withResolvers<void>();
  await page.route(path, (route) => held.promise.then(() => respond(route)));
  return held.resolve;
}

const breakOff = (route: Route): Promise<void> => route.abort();
const unreachable = (page: Page) => page.getByText("Can't reach the server");

async function toHelp(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Help', exact: true }).click();
  await page.getByRole('heading', { name: 'Help', level: 1 }).waitFor();
}

describe('a change that fails after its page is left', () => {
  async function rename(page: Page): Promise<void> {
    await page.getByRole('button', { name: 'Edit name' }).click();
    await section(page, 'Profile').getByRole('textbox', { name: 'Name' }).fill('Mina Minsky');
    await page.keyboard.press('Enter');
  }

  async function translate(page: Page): Promise<void> {
    await page.getByRole('combobox', { name: 'Language' }).click();
    await page.getByRole('option', { name: 'Deutsch' }).click();
  }

  /** Changes the account, and leaves before the response: there is none. */
  async function leave(change: (page: Page) => Promise<void>, go: (page: Page) => Promise<void>) {
    const page = await portal.as(portal.admin, '/account');
    const end = await hold(page, '**/api/users/me', breakOff);
    const sent = page.waitForRequest('**/api/users/me');
    await change(page);
    await sent;
    await go(page);
    const failed = page.waitForEvent('requestfailed', (request) => request.method() === 'PATCH');
    end();
    await failed;
    return page;
  }

  test.each([
    ['of a form', rename],
    ['of a setting', translate],
  ])('says so: %s', async (_, change) => {
    const page = await leave(change, toHelp);
    await unreachable(page).waitFor();
    await page.getByText('Check your connection.').waitFor();
    expect(await unreachable(page).count()).toBe(1);
  });

  test('is not shown after a sign-out', async () => {
    const page = await leave(rename, async (left) => {
      await left.getByRole('button', { name: 'Your account' }).click();
      await left.getByRole('menuitem', { name: 'Sign out' }).click();
      await left.getByText('You signed out.').waitFor();
    });
    await page.getByRole('textbox', { name: 'Email' }).fill('mina@example.com');
    expect(await unreachable(page).count()).toBe(0);
  });
});

test('a change that fails after its dialog is closed says so, and the dialog opens without the failure', async () => {
  await portal.session(await member(portal, 'sara@example.com'));
  const path = await pathOfUser(portal, 'sara@example.com');
  const page = await portal.as(portal.admin, `${path}?tab=sign-in`);
  const open = page.getByRole('button', { name: 'Sign out everywhere' });
  await open.click();
  const endAll = await hold(page, '**/api/users/*/sessions', breakOff);
  await confirm(page, 'Sign out everywhere');
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  endAll();
  await unreachable(page).waitFor();
  await open.click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).waitFor();
  expect(await page.getByRole('dialog').getByRole('alert').count()).toBe(0);
});

test('a deletion that succeeds after its page is left does not leave the next page', async () => {
  await member(portal, 'dora@example.com');
  await disable(portal, 'dora@example.com');
  const page = await portal.as(portal.admin, await pathOfUser(portal, 'dora@example.com'));
  const end = await hold(page, '**/api/users/*/erase', (route) => route.continue());
  await page.getByRole('button', { name: 'Delete user permanently' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox').fill('dora@example.com');
  await dialog.getByRole('button', { name: 'Delete permanently' }).click();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await toHelp(page);
  end();
  await page.getByText('Mina Member was deleted.').waitFor();
  await page.getByRole('heading', { name: 'Help', level: 1 }).waitFor();
});
