import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { atEndOfTest } from '../../support/end-of-test.js';
import { asAdmin } from './people.js';
import type { Portal } from './portal.js';

export const section = (page: Page, name: string): Locator => page.getByRole('region', { name, exact: true });

/** Confirms the confirmation dialog. */
export async function confirm(page: Page, action: string): Promise<void> {
  await page.getByRole('dialog').getByRole('button', { name: action, exact: true }).click();
}

/** Closes the tab, and cancels at the question of the browser. */
export async function cancelClosing(page: Page): Promise<void> {
  const asked = page.waitForEvent('dialog');
  const closed = page.close({ runBeforeUnload: true });
  const browserQuestion = await asked;
  expect(browserQuestion.type()).toBe('beforeunload');
  await browserQuestion.dismiss();
  await closed;
}

/** Comes back half a minute later to a tab with `page.clock` installed: the portal reads again what it shows, and gives up no request. */
export async function returnToTab(page: Page): Promise<void> {
  await page.clock.fastForward('00:30');
  await page.evaluate("void document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))");
}

/** Waits until the dialog around a field has focus: the move of focus closes the list of a field that is used before. */
async function dialogHasFocus(field: Locator): Promise<void> {
  await field.waitFor();
  const dialog = field.locator('xpath=ancestor::*[@role="dialog"]');
  if ((await dialog.count()) > 0) await dialog.locator(':focus').first().waitFor();
}

/** Types into a field that searches, and takes its first option by the keyboard. */
export async function pick(within: Page | Locator, label: string, typed: string, page: Page): Promise<void> {
  const field = within.getByRole('combobox', { name: label, exact: true });
  await dialogHasFocus(field);
  await field.fill(typed);
  // The list of before the search has another one first.
  await page.getByRole('option').first().filter({ hasText: typed }).waitFor();
  await field.press('ArrowDown');
  await field.press('Enter');
}

/** The path of a user's page. */
export async function pathOfUser(portal: Portal, email: string): Promise<string> {
  const response = await asAdmin(portal, 'GET', `/api/users?q=${encodeURIComponent(email)}`);
  const { users } = (await response.json()) as { users: { id: string }[] };
  if (users[0] === undefined) throw new Error(`There is no ${email}.`);
  return `/users/${users[0].id}`;
}

/** Makes requests fail. */
export async function fails(page: Page, path: string): Promise<void> {
  const problem = { status: 503, code: 'database_unavailable', title: '', detail: '', request_id: 'r-1' };
  await page.route(path, (route) => route.fulfill({ status: 503, json: problem }));
}

/** Makes the connection break off in the body of responses. */
export async function breaksOff(page: Page, path: string): Promise<void> {
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': 1000 });
      response.write('{"id": "', () => response.destroy());
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  atEndOfTest(async () => server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  await page.route(path, (route) => route.continue({ url }));
}

/** Makes a list fail until its page retries. */
export async function failsOnce(page: Page, path: string, go: () => Promise<void>): Promise<void> {
  await fails(page, path);
  await go();
  const alert = page.getByRole('alert').filter({ hasText: 'The database is temporarily unavailable' });
  await alert.first().waitFor();
  await page.unroute(path);
  await alert.getByRole('button', { name: 'Try again' }).first().click();
  await alert.first().waitFor({ state: 'detached' });
}
