import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { confirm, pick } from './admin.js';
import { expectLayout } from './looks.js';
import { mailTo } from './mail.js';
import { Portal } from './portal.js';
import { idOf, viewer } from './viewers.js';

let portal: Portal;
let revenue: string;

beforeAll(async () => {
  portal = await Portal.open();
  revenue = await idOf(portal, 'reports', 'Revenue overview');
}, 120_000);
afterEach(() => expect(portal.pageErrors).toEqual([]));
afterAll(() => portal.close());

const row = (page: Page, name: RegExp) => page.getByRole('row', { name });

async function openShare() {
  const page = await portal.as(portal.admin, `/reports/${revenue}/access?tab=grants`);
  await page.getByRole('button', { name: 'Share' }).click();
  const dialog = page.getByRole('dialog');
  return { page, dialog, field: dialog.getByRole('combobox', { name: 'Users and groups' }) };
}

test('a report is shared with a typed address that was not selected from the list', async () => {
  await viewer(portal, 'ida@example.com');
  const unknown = 'typed@example.com';
  const { page, dialog, field } = await openShare();
  await pick(dialog, 'Users and groups', 'ida', page);
  await field.fill(unknown);
  await confirm(page, 'Grant access');
  await page.getByText('Access granted to 2 recipients.').waitFor();
  await row(page, /^ida/).waitFor();
  expect(await mailTo(portal, unknown)).toContain('Revenue overview');
});

test.each(['Enter', 'Tab'])('a report is shared with an address that %s adds', async (key) => {
  const [address, list] = [`${key}@example.com`, `${key}-1@example.com, ${key}-2@example.com`];
  const { dialog, field } = await openShare();
  for (const typed of [address, list]) {
    await field.fill(typed);
    await field.press(key);
  }
  for (const email of [address, ...list.split(', ')])
    await dialog.getByText(email, { exact: true }).waitFor();
  expect(await field.inputValue()).toBe('');
});

test('a report is not shared while a text is no choice', async () => {
  const { page, dialog, field } = await openShare();
  await pick(dialog, 'Users and groups', 'chosen@example.com', page);
  await field.fill('incomplete@example');
  await dialog.getByLabel('Expires (optional)').focus();
  await confirm(page, 'Grant access');
  await field.and(page.locator(':focus:invalid')).waitFor();
  expect(await field.inputValue()).toBe('incomplete@example');
  await field.fill('');
  await field.press('Tab');
  await confirm(page, 'Grant access');
  await page.getByText('Access granted to chosen@example.com.').waitFor();
});

test('a report is shared with a pasted list of addresses, each of them once', async () => {
  const [pia, new1, new2] = [
    await viewer(portal, 'pia@example.com'),
    'new-1@example.com',
    'new-2@example.com',
  ];
  const { page, dialog, field } = await openShare();
  await pick(dialog, 'Users and groups', new1, page);
  await field.fill(`${new1}; <${new2}>, ${pia.email}`);
  await page.getByRole('option', { name: 'Add 3 email addresses' }).waitFor();
  await field.press('ArrowDown');
  await field.press('Enter');
  await dialog.getByText(new2, { exact: true }).waitFor();
  expect(await dialog.getByText(new1, { exact: true }).count()).toBe(1);
  await expectLayout(page, 'share-pasted');
  await confirm(page, 'Grant access');
  await page.getByText('Access granted to 3 recipients.').waitFor();
  await row(page, /^pia/).waitFor();
  expect(await mailTo(portal, new2)).toContain('Revenue overview');
});
