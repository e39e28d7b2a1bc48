import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { cancelClosing } from './admin.js';
import { expectLayout } from './looks.js';
import { asAdmin } from './people.js';
import { Portal, type Width } from './portal.js';

let portal: Portal;

beforeAll(async () => {
  portal = await Portal.open();
}, 120_000);
afterEach(() => expect(portal.pageErrors).toEqual([]));
afterAll(() => portal.close());

const question = (page: Page, what: string) => page.getByRole('dialog', { name: `Discard this ${what}?` });

/** Creates a service account in the dialog, up to its secret. */
async function create(page: Page, name: string): Promise<Locator> {
  await page.getByRole('button', { name: 'New service account' }).click();
  const dialog = page.getByRole('dialog', { name: 'New service account' });
  await dialog.getByLabel(/^Name/).fill(name);
  await dialog.getByLabel(/^Name/).press('Enter');
  await dialog.getByLabel('Client secret').waitFor();
  return dialog;
}

const ways: [string, (page: Page, dialog: Locator) => Promise<unknown>][] = [
  ['Escape', (page) => page.keyboard.press('Escape')],
  ['the close button', (_page, dialog) => dialog.getByRole('button', { name: 'Close' }).click()],
  ['Back', (page) => page.goBack()],
];

describe('the secret of a service account', () => {
  test.each(ways)('is not discarded by %s without confirmation', async (way, leave) => {
    const page = await portal.as(portal.admin, '/health');
    await page.getByRole('link', { name: 'Service accounts' }).click();
    const dialog = await create(page, `Kept from ${way}`);
    const secret = await dialog.getByLabel('Client secret').inputValue();
    await leave(page, dialog);
    await question(page, 'secret').getByRole('button', { name: 'Cancel' }).click();
    await question(page, 'secret').waitFor({ state: 'detached' });
    expect(await dialog.getByLabel('Client secret').inputValue()).toBe(secret);
    await leave(page, dialog);
    await question(page, 'secret').getByRole('button', { name: 'Discard secret' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await page.getByRole('dialog').count()).toBe(0);
  });

  test('is not lost by leaving the dialog while it is created', async () => {
    const page = await portal.as(portal.admin, '/service-accounts');
    const answered = Promise.withResolvers<void>();
    await page.route('**/api/service-accounts', async (route) => {
      if (route.request().method() === 'POST') await answered.promise;
      await route.continue();
    });
    await page.getByRole('button', { name: 'New service account' }).click();
    const dialog = page.getByRole('dialog', { name: 'New service account' });
    await dialog.getByLabel(/^Name/).fill('Slow');
    const sent = page.waitForRequest(
      (request) => request.method() === 'POST' && request.url().endsWith('accounts'),
    );
    await dialog.getByLabel(/^Name/).press('Enter');
    await sent;
    await page.keyboard.press('Escape');
    await dialog.getByRole('button', { name: 'Close' }).click();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    answered.resolve();
    await dialog.getByLabel('Client secret').waitFor();
  });

  test.each<Width>(['phone', 'desktop'])('the confirmation for a second secret (%s)', async (width) => {
    const answer = await asAdmin(portal, 'POST', '/api/service-accounts', { name: `Second ${width}` });
    const { id } = (await answer.json()) as { id: string };
    const page = await portal.as(portal.admin, `/service-accounts/${id}`, width);
    await page.getByRole('button', { name: 'Add secret' }).click();
    const dialog = page.getByRole('dialog', { name: `New secret for Second ${width}` });
    await dialog.getByRole('button', { name: 'Add', exact: true }).click();
    await dialog.getByLabel('Client secret').waitFor();
    await page.keyboard.press('Escape');
    await question(page, 'secret').waitFor();
    await expectLayout(page, `secret-discard-${width}`);
    // Escape answers the question, not the dialog behind it.
    await page.keyboard.press('Escape');
    await question(page, 'secret').waitFor({ state: 'detached' });
    await dialog.getByRole('button', { name: 'Done' }).click();
    await dialog.waitFor({ state: 'detached' });
  });

  test('makes the browser ask before the tab is closed', async () => {
    const page = await portal.as(portal.admin, '/service-accounts');
    const dialog = await create(page, 'Closed tab');
    await cancelClosing(page);
    await dialog.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('heading', { name: 'Closed tab', level: 1 }).waitFor();
  });

  test('the form before it closes without confirmation', async () => {
    const page = await portal.as(portal.admin, '/service-accounts');
    await page.getByRole('button', { name: 'New service account' }).click();
    await page.getByRole('dialog').getByLabel(/^Name/).fill('Not made');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });
});

test('the link of an invitation without a mail server is not discarded by Escape without confirmation', async () => {
  const page = await portal.as(portal.admin, '/invitations');
  await page.route('**/api/users/invite', async (route) => {
    const response = await route.fetch();
    const accept_url = `${portal.url}/invitation#token=shown-once`;
    await route.fulfill({ response, json: { ...((await response.json()) as object), accept_url } });
  });
  await page.getByRole('button', { name: 'Invite user' }).click();
  const dialog = page.getByRole('dialog', { name: 'Invite user' });
  await dialog.getByLabel(/^Email/).fill('link@example.com');
  await dialog.getByRole('button', { name: 'Invite', exact: true }).click();
  await dialog.getByLabel('Invitation link').waitFor();
  await page.keyboard.press('Escape');
  await question(page, 'link').getByRole('button', { name: 'Cancel' }).click();
  await dialog.getByRole('button', { name: 'Done' }).click();
  await dialog.waitFor({ state: 'detached' });
});
