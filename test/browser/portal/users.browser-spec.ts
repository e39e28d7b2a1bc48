import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { inDatabase } from '../../local/owner-database.js';
import { failsOnce } from './admin.js';
import { expectLayout } from './looks.js';
import { disable, invite, member } from './people.js';
import { Portal, type Width } from './portal.js';
import { viewer } from './viewers.js';

let portal: Portal;

beforeAll(async () => {
  portal = await Portal.open();
  await member(portal, 'mina@example.com');
  await viewer(portal, 'otto@example.com');
  await disable(portal, 'otto@example.com');
}, 120_000);
afterEach(() => expect(portal.pageErrors).toEqual([]));
afterAll(() => portal.close());

const row = (page: Page, name: RegExp) => page.getByRole('row', { name });

test.each<Width>(['phone', 'desktop'])('users are listed with role and status (%s)', async (width) => {
  const page = await portal.as(portal.admin, '/users', width);
  await row(page, /Mina Member mina@example.com Member Active/).waitFor();
  await row(page, /otto@example.com Member Disabled/).waitFor();
  await row(page, new RegExp(`${portal.admin.email} Admin Active`)).waitFor();
  await expectLayout(page, `users-${width}`);
});

test('search and filters are in the URL and kept on reload', async () => {
  const page = await portal.as(portal.admin, '/users');
  await page.getByRole('searchbox', { name: 'Search by name or email' }).fill('example.com');
  await row(page, /otto/).waitFor();
  await page.getByRole('combobox', { name: 'Any status' }).click();
  await page.getByRole('option', { name: 'Disabled' }).click();
  await row(page, /mina/).waitFor({ state: 'detached' });
  await page.waitForURL(
    ({ searchParams }) =>
      searchParams.get('status') === 'disabled' && searchParams.get('q') === 'example.com',
  );
  await page.reload();
  await row(page, /otto/).waitFor();
  expect(await page.getByRole('searchbox').inputValue()).toBe('example.com');
  await page.getByRole('combobox', { name: 'Any role' }).click();
  await page.getByRole('option', { name: 'Admin' }).click();
  await page.getByRole('heading', { name: 'No users match your filters' }).waitFor();
  await page.getByLabel('Clear filter: Any status').click();
  await page.getByLabel('Clear filter: Any role').click();
  await row(page, /mina/).waitFor();
});

test('a search shows how many open invitations match, with a link to them', async () => {
  for (const name of ['ada', 'berta', 'carl']) await invite(portal, `${name}@invited.example`);
  const expire = `UPDATE invitations SET expires_at = mailed_at WHERE email = 'carl@invited.example'`;
  await inDatabase(portal.started.dataDir, (query) => query(expire));
  const page = await portal.as(portal.admin, '/users');
  await row(page, /mina/).waitFor();
  expect(await page.getByRole('link', { name: /invitations? match/ }).count()).toBe(0);
  await page.getByRole('searchbox').fill('invited.example');
  await page.getByRole('heading', { name: 'No users match your filters' }).waitFor();
  const expired = page.getByRole('link', { name: '1 expired invitation matches your search' });
  await expired.waitFor();
  await page.getByRole('link', { name: '2 pending invitations match your search' }).click();
  await row(page, /ada@invited.example.*Pending/).waitFor();
  await row(page, /berta@invited.example.*Pending/).waitFor();
  expect(await row(page, /carl@invited.example/).count()).toBe(0);
  await page.goBack();
  await expired.click();
  await row(page, /carl@invited.example.*Expired/).waitFor();
});

test('a user is opened by keyboard, and Back restores the search', async () => {
  const page = await portal.as(portal.admin, '/users?q=mina');
  await page.getByRole('link', { name: 'Mina Member' }).press('Enter');
  await page.getByRole('heading', { name: 'Mina Member', level: 1 }).waitFor();
  await page.goBack();
  await row(page, /mina/).waitFor();
  expect(await page.getByRole('searchbox').inputValue()).toBe('mina');
});

test('has a link to the invitation form', async () => {
  const page = await portal.as(portal.admin, '/users');
  await page.getByRole('link', { name: 'Invite user' }).click();
  await page.getByRole('dialog', { name: 'Invite user' }).waitFor();
});

test('a list that cannot be loaded shows the reason and offers a retry', async () => {
  const page = await portal.as(portal.admin, '/health');
  await failsOnce(page, '**/api/users?*', () => page.getByRole('link', { name: 'Users' }).click());
  await row(page, /mina/).waitFor();
});

test('a member has no access', async () => {
  const page = await portal.as(await viewer(portal, 'curious@example.com'), '/users');
  await page.getByText('Only administrators can view this page').waitFor();
  expect(await page.getByRole('table').count()).toBe(0);
});
