import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
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
const people = (page: Page) => page.getByRole('textbox', { name: 'Email addresses' });

test.each<Width>(['phone', 'desktop'])(
  'a pasted list is parsed, and everyone on it is invited (%s)',
  async (width) => {
    const page = await portal.as(portal.admin, '/invitations', width);
    await page.getByRole('link', { name: 'Bulk invite' }).click();
    await page.getByText('No users entered yet.').waitFor();
    await people(page).fill(list(width));
    await page.getByText('2 users will be invited.').waitFor();
    await page.getByText('2 entries were skipped').waitFor();
    await page.getByText(/Line 3: No email address found/).waitFor();
    await page.getByText(/Line 4: Duplicate of line 1/).waitFor();
    await page.getByRole('button', { name: 'Add workspace' }).click();
    await pick(page, 'Workspace', 'Sales', page);
    await expectLayout(page, `bulk-${width}`);
    await page.getByRole('button', { name: 'Invite 2 users' }).click();
    await page.getByText(/^Completed: 2 invited/).waitFor();
    await page.getByRole('row', { name: new RegExp(`ben-${width}@example.com Ben Okafor`) }).waitFor();
    await expectLayout(page, `bulk-done-${width}`);
    expect(await linkFor(portal, `ben-${width}@example.com`)).toContain('#token=');
    await page.getByRole('link', { name: 'View invitations' }).click();
    await page.getByRole('row', { name: new RegExp(`ada-${width}@example.com.*Sales Viewer`) }).waitFor();
  },
);

test('a column of roles gives each user another role', async () => {
  const page = await portal.as(portal.admin, '/invitations/bulk');
  await people(page).fill(
    'Name,Email,Role\nAda,ada-role@example.com,editor\nBen,ben-role@example.com,\nCleo,cleo-role@example.com,boss',
  );
  await page.getByText('Line 4: Unknown role “boss”: use viewer, editor or manager').waitFor();
  await page.getByRole('row', { name: 'ada-role@example.com Ada Editor' }).waitFor();
  await page.getByText('The role of a line applies to all workspaces and reports').waitFor();
  await page.getByRole('button', { name: 'Add workspace' }).click();
  await pick(page, 'Workspace', 'Sales', page);
  await expectLayout(page, 'bulk-roles');
  await page.getByRole('button', { name: 'Invite 2 users' }).click();
  await page.getByText(/^Completed: 2 invited/).waitFor();
  await page.getByRole('link', { name: 'View invitations' }).click();
  await page.getByRole('row', { name: /ada-role@example.com.*Sales Editor/ }).waitFor();
  await page.getByRole('row', { name: /ben-role@example.com.*Sales Viewer/ }).waitFor();
});

/** Whether the element is completely in the window, below the header. */
async function isInView(page: Page, element: Locator): Promise<boolean> {
  const [box, header] = await Promise.all([element.boundingBox(), page.getByRole('banner').boundingBox()]);
  if (box === null || header === null) return false;
  const height = page.viewportSize()?.height ?? 0;
  return box.y >= header.y + header.height && box.y + box.height <= height;
}

test.each<Width>(['phone', 'desktop'])('the progress is on the screen when it starts (%s)', async (width) => {
  const page = await portal.as(portal.admin, '/invitations/bulk', width);
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route('**/api/invitations/bulk', async (route) => {
    await held;
    await route.continue();
  });
  const many = Array.from({ length: 30 }, (_, index) => `many-${width}-${index}@example.com`);
  await people(page).fill(many.join('\n'));
  await page.getByRole('button', { name: 'Invite 30 users' }).click();
  const progress = page.getByRole('group', { name: 'Invitation progress' });
  const status = progress.getByRole('status').filter({ hasText: '0 of 30' });
  await status.waitFor();
  expect(await isInView(page, status)).toBe(true);
  expect(await isInView(page, progress.getByRole('progressbar'))).toBe(true);
  await progress.and(page.locator(':focus')).waitFor();
  await expectLayout(page, `bulk-started-${width}`);
  release();
  await page.getByText(/^Completed: 30 invited/).waitFor();
});

test('leaving early asks for confirmation; a list that is stopped keeps its links and can be continued', async () => {
  const page = await portal.as(portal.admin, '/invitations/bulk');
  const held = Promise.withResolvers<void>();
  await page.route('**/api/invitations/bulk', async (route) => {
    const response = await route.fetch();
    const text = await response.text();
    await held.promise;
    // As without a mail server.
    const body = text.replaceAll(
      /"delivery":"\w+"/g,
      '"delivery":"not_configured","accept_url":"https://a.test/#token=x"',
    );
    await route.fulfill({ response, body });
  });
  const many = Array.from({ length: 26 }, (_, index) => `held-${index}@example.com`);
  await people(page).fill(many.join('\n'));
  await page.getByRole('button', { name: 'Invite 26 users' }).click();
  await page.getByRole('button', { name: 'Stop', exact: true }).waitFor();
  await page.getByRole('link', { name: 'Groups' }).click();
  await page.getByRole('dialog', { name: 'Stop inviting?' }).getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Stop', exact: true }).click();
  held.resolve();
  await page.getByText('25 of 26: 1 waiting, 25 invited').waitFor();
  await page.getByRole('button', { name: 'Copy all email addresses and links' }).waitFor();
  await expectLayout(page, 'bulk-stopped');
  await page.getByRole('button', { name: 'Resume' }).click();
  await page.getByText(/^Completed: 26 invited/).waitFor();
});

test('a failed invitation shows the reason and can be retried', async () => {
  const page = await portal.as(portal.admin, '/invitations/bulk');
  await page.route('**/api/invitations/bulk', async (route) => {
    const response = await route.fetch();
    const { results } = (await response.json()) as { results: { email: string }[] };
    const problem = { code: 'user_disabled', detail: 'Only an administrator can enable this user.' };
    const changed = results.map(({ email, ...rest }) =>
      email.startsWith('ben') ? { email, problem } : { email, ...rest },
    );
    await route.fulfill({ response, json: { results: changed } });
  });
  await people(page).fill(list('retried'));
  await page.getByRole('button', { name: 'Invite 2 users' }).click();
  await page
    .getByRole('row', { name: /ben-retried@example.com/ })
    .getByText(/Only an administrator can enable this user/)
    .waitFor();
  await expectLayout(page, 'bulk-failed');
  await page.unroute('**/api/invitations/bulk');
  await page.getByRole('button', { name: 'Retry failed invitations' }).click();
  await page.getByText(/^Completed: /).waitFor();
  await page.getByText(/failed/).waitFor({ state: 'detached' });
});

test('a pause until tomorrow names the day', async () => {
  const page = await portal.as(portal.admin, '/invitations/bulk');
  const problem = { status: 429, code: 'rate_limited', title: '', detail: '', request_id: 'r-1' };
  await page.route('**/api/invitations/bulk', (route) =>
    route.fulfill({ status: 429, json: problem, headers: { 'Retry-After': '86400' } }),
  );
  await people(page).fill('later@example.com');
  await page.getByRole('button', { name: 'Invite 1 user' }).click();
  await page.getByText(/Resumes automatically on \w+ \d+, 20\d\d, \d+:\d\d/).waitFor();
});

test('a user who manages no workspace cannot invite', async () => {
  const page = await portal.as(await viewer(portal, 'vera@example.com'), '/invitations/bulk');
  await page
    .getByRole('heading', { name: 'Only administrators and managers of a workspace can view this page' })
    .waitFor();
});

test.each(['bulk', 'single'])('inviting without access shows a warning (%s)', async (kind) => {
  const page = await portal.as(portal.admin, kind === 'bulk' ? '/invitations/bulk' : '/invitations');
  if (kind === 'single') await page.getByRole('button', { name: 'Invite user' }).click();
  const warning = page.getByText(/^No workspace, report or group selected/);
  await warning.waitFor();
  await page.getByRole('button', { name: 'Add workspace' }).click();
  await warning.waitFor({ state: 'detached' });
});
