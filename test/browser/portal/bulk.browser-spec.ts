import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { pick } from './admin.js';
import { expectLayout } from './looks.js';
import { linkFor } from './mail.js';
import { Portal, type Width } from './portal.js';
import { viewer } from './viewers.js';

let portal: Portal;

beforeAll(async () => {
  portal = await Portal.open();
}, 120_000);
afterEach(() => expect(portal.pageErrors).toEqual([]));
afterAll(() => portal.close());

const list = (name: string): string =>
  [
    `ada-${name}@example.com`,
    `Ben Okafor <ben-${name}@example.com>`,
    'no address',
    `ada-${name}@example.com`,
  ].join('\n');
const people = (page: Page) => page.getByRole('textbox', { name: 'People' });

test.each<Width>(['phone', 'desktop'])(
  'a pasted list is parsed, and everyone on it is invited (%s)',
  async (width) => {
    const page = await portal.as(portal.admin, '/invitations', width);
    await page.getByRole('link', { name: 'Bulk invite' }).click();
    await page.getByText('Nobody is on the list yet.').waitFor();
    await people(page).fill(list(width));
    await page.getByText('2 people will be invited.').waitFor();
    await page.getByText('2 entries are left out').waitFor();
    await page.getByText(/Line 3: There is no e-mail address in it/).waitFor();
    await page.getByText(/Line 4: The same address as in line 1/).waitFor();
    await page.getByRole('button', { name: 'Add a workspace' }).click();
    await pick(page, 'Workspace', 'Sales', page);
    await expectLayout(page, `bulk-${width}`);
    await page.getByRole('button', { name: 'Invite 2 people' }).click();
    await page.getByText(/^Done: 2 invited/).waitFor();
    await page.getByRole('row', { name: new RegExp(`ben-${width}@example.com Ben Okafor`) }).waitFor();
    await expectLayout(page, `bulk-done-${width}`);
    expect(await linkFor(portal, `ben-${width}@example.com`)).toContain('#token=');
    await page.getByRole('link', { name: 'To the invitations' }).click();
    await page.getByRole('row', { name: new RegExp(`ada-${width}@example.com.*Sales Viewer`) }).waitFor();
  },
);

test('leaving early asks for confirmation, and a stopped list can be continued', async () => {
  const page = await portal.as(portal.admin, '/invitations/bulk');
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route('**/api/users/invite', async (route) => {
    await held;
    await route.continue();
  });
  await people(page).fill(list('held'));
  await page.getByRole('button', { name: 'Invite 2 people' }).click();
  await page.getByRole('button', { name: 'Stop', exact: true }).waitFor();
  await page.getByRole('link', { name: 'Workspaces' }).click();
  await page.getByRole('dialog', { name: 'Stop inviting?' }).getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Stop', exact: true }).click();
  await page.getByRole('button', { name: 'Go on' }).waitFor();
  await expectLayout(page, 'bulk-stopped');
  release();
  await page.getByRole('button', { name: 'Go on' }).click();
  await page.getByText(/^Done: 2 invited/).waitFor();
});

test('a failed invitation shows the reason and can be retried', async () => {
  const page = await portal.as(portal.admin, '/invitations/bulk');
  const problem = { status: 422, code: 'validation_failed', title: 'Not valid', detail: 'No such mailbox.' };
  await page.route('**/api/users/invite', (route) =>
    route.request().postData()?.includes('ben') === true
      ? route.fulfill({ status: 422, json: { ...problem, request_id: 'r-1' } })
      : route.continue(),
  );
  await people(page).fill(list('failed'));
  await page.getByRole('button', { name: 'Invite 2 people' }).click();
  await page
    .getByRole('row', { name: /ben-failed@example.com/ })
    .getByText(/No such mailbox/)
    .waitFor();
  await expectLayout(page, 'bulk-failed');
  await page.unroute('**/api/users/invite');
  await page.getByRole('button', { name: 'Try the failed ones again' }).click();
  await page.getByText(/^Done: 2 invited/).waitFor();
});

test('a user who manages no workspace cannot invite', async () => {
  const page = await portal.as(await viewer(portal, 'vera@example.com'), '/invitations/bulk');
  await page.getByRole('heading', { name: 'You may not invite' }).waitFor();
});
