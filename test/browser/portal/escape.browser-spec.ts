import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { isShown } from './embedded.js';
import { asAdmin } from './people.js';
import { Portal } from './portal.js';
import { idOf } from './viewers.js';

let portal: Portal;

beforeAll(async () => {
  portal = await Portal.open();
}, 120_000);
afterEach(() => expect(portal.pageErrors).toEqual([]));
afterAll(() => portal.close());

const dialog = (page: Page, name: string) => page.getByRole('dialog', { name, exact: true });
const escape = (page: Page) => page.keyboard.press('Escape');

/** The form with an address in it. */
async function fillInvitation(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Invite user' }).click();
  await dialog(page, 'Invite user')
    .getByLabel(/^Email/)
    .fill('kept@example.com');
}
const keptAddress = (page: Page): Promise<string> =>
  dialog(page, 'Invite user')
    .getByLabel(/^Email/)
    .inputValue();

test('closes the search above a form, then the form', async () => {
  const page = await portal.as(portal.admin, '/invitations');
  await fillInvitation(page);
  await page.keyboard.press('Control+k');
  await dialog(page, 'Search').locator(':focus').waitFor();
  await escape(page);
  await dialog(page, 'Search').waitFor({ state: 'detached' });
  expect(await keptAddress(page)).toBe('kept@example.com');
  await escape(page);
  await dialog(page, 'Invite user').waitFor({ state: 'detached' });
});

test('closes the report of a problem above the form in which it occurred', async () => {
  const page = await portal.as(portal.admin, '/invitations');
  const problem = { status: 500, code: 'internal_error', title: '', detail: '', request_id: 'request-1' };
  await page.route('**/api/users/invite', (route) => route.fulfill({ status: 500, json: problem }));
  await fillInvitation(page);
  await dialog(page, 'Invite user').getByRole('button', { name: 'Invite', exact: true }).click();
  await dialog(page, 'Invite user').getByRole('button', { name: 'Report a problem' }).click();
  await dialog(page, 'Report a problem').locator(':focus').waitFor();
  await escape(page);
  await dialog(page, 'Report a problem').waitFor({ state: 'detached' });
  expect(await keptAddress(page)).toBe('kept@example.com');
});

test('closes an open list of choices, then the form', async () => {
  const page = await portal.as(portal.admin, '/invitations');
  await fillInvitation(page);
  await dialog(page, 'Invite user').getByRole('combobox', { name: 'Role in the portal' }).click();
  await page.getByRole('option').first().waitFor();
  await escape(page);
  await page.getByRole('option').first().waitFor({ state: 'hidden' });
  expect(await keptAddress(page)).toBe('kept@example.com');
  await escape(page);
  await dialog(page, 'Invite user').waitFor({ state: 'detached' });
});

test('closes a window in which nothing has focus', async () => {
  const page = await portal.as(portal.admin, '/invitations');
  await fillInvitation(page);
  await page.evaluate('document.activeElement.blur()');
  await escape(page);
  await dialog(page, 'Invite user').waitFor({ state: 'detached' });
});

test('closes a question or a field in the list of saved views, then the list', async () => {
  const report = await idOf(portal, 'reports', 'Revenue overview');
  await asAdmin(portal, 'POST', `/api/reports/${report}/views`, {
    name: 'Europe',
    scope: 'private',
    state: 'state',
  });
  const page = await portal.as(portal.admin, `/reports/${report}`);
  await isShown(page, 'Revenue overview');
  await page.getByRole('button', { name: 'Saved views' }).click();
  await page.getByRole('menuitem', { name: 'Manage views' }).click();
  const list = dialog(page, 'Saved views');
  await list.getByRole('button', { name: 'Delete Europe' }).click();
  await dialog(page, 'Delete Europe?').locator(':focus').waitFor();
  await escape(page);
  await dialog(page, 'Delete Europe?').waitFor({ state: 'detached' });
  await list.getByRole('button', { name: 'Rename Europe' }).click();
  await list.getByRole('textbox').fill('Asia');
  await escape(page);
  await list.getByRole('button', { name: 'Rename Europe' }).waitFor();
  await escape(page);
  await list.waitFor({ state: 'detached' });
});
