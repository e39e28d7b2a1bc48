import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { isShown } from './embedded.js';
import {
  choose,
  hasFocus,
  heading,
  pick,
  openAsAdmin,
  press,
  search,
  select,
  openAs,
  tabTo,
  type,
} from './keyboard.js';
import { asAdmin } from './people.js';
import { Portal } from './portal.js';
import { idOf, viewer } from './viewers.js';

let portal: Portal;

beforeAll(async () => {
  portal = await Portal.open();
}, 120_000);
afterEach(() => expect(portal.pageErrors).toEqual([]));
afterAll(() => portal.close());

test('a reader signs in, opens, stars, saves and exports a report, and requests access', async () => {
  const reader = await viewer(portal, 'rosa@example.com', { Sales: 'editor' });
  const page = await openAs(portal, reader, '/');
  await press(page.getByRole('link', { name: 'Reports', exact: true }));
  await hasFocus(heading(page, 'Reports'));
  const star = page.getByRole('button', { name: 'Favourite: Pipeline' });
  await press(star, 'Space');
  await hasFocus(star.and(page.locator('[aria-pressed=true]')));
  await press(page.getByRole('link', { name: 'Home', exact: true }));
  await hasFocus(heading(page, /rosa/i));
  await press(page.getByRole('main').getByRole('link', { name: 'Pipeline' }).first());
  await isShown(page, 'Pipeline');
  await hasFocus(heading(page, 'Pipeline'));

  await press(star, 'Enter');
  await hasFocus(star.and(page.locator('[aria-pressed=false]')));

  const views = page.getByRole('button', { name: 'Saved views', exact: true });
  await choose(page, views, 'Save current view');
  const dialog = page.getByRole('dialog', { name: 'Save current view' });
  await hasFocus(dialog.getByLabel(/^Name/));
  await page.keyboard.type('Mine');
  await page.keyboard.press('Enter');
  await dialog.waitFor({ state: 'detached' });
  await hasFocus(views);

  const exporting = page.getByRole('button', { name: 'Export', exact: true });
  await tabTo(exporting, 'Shift+Tab');
  await choose(page, exporting, 'PDF');
  await hasFocus(exporting);
  const notice = page.getByRole('region', { name: 'Export' });
  await notice.getByRole('button', { name: 'Download' }).waitFor();
  await press(notice.getByRole('button', { name: 'Close' }));
  await notice.waitFor({ state: 'detached' });

  const headcount = await idOf(portal, 'reports', 'Headcount');
  await page.goto(`${portal.url}/reports/${headcount}`);
  await press(page.getByRole('button', { name: 'Request access' }));
  const request = page.getByRole('dialog', { name: 'Request access' });
  await hasFocus(request.getByLabel('Reason (optional)'));
  await page.keyboard.type('Month-end closing');
  await press(request.getByRole('button', { name: 'Send request' }));
  await page.getByText('Request sent.').waitFor();
  await request.waitFor({ state: 'detached' });
  expect(await page.evaluate('document.activeElement === document.body')).toBe(false);
}, 120_000);

test('an admin searches, creates, invites, grants, and signs out', async () => {
  await viewer(portal, 'gina@example.com');
  const page = await openAsAdmin(portal);

  await search(page, 'service acc', 'Service accounts');
  await press(page.getByRole('button', { name: 'New service account' }));
  const account = page.getByRole('dialog', { name: 'New service account' });
  await type(account.getByLabel(/^Name/), 'Nightly');
  await page.keyboard.press('Enter');
  await account.getByLabel('Client secret').waitFor();
  await press(account.getByRole('button', { name: 'Done' }));
  await hasFocus(heading(page, 'Nightly'));

  await search(page, 'groups', 'Groups');
  await press(page.getByRole('button', { name: 'New group' }));
  const group = page.getByRole('dialog', { name: 'New group' });
  await type(group.getByLabel(/^Name/), 'Controllers');
  await page.keyboard.press('Enter');
  await hasFocus(heading(page, 'Controllers'));

  await search(page, 'invitations', 'Invitations');
  const inviting = page.getByRole('button', { name: 'Invite user' });
  await press(inviting);
  const invitation = page.getByRole('dialog', { name: 'Invite user' });
  await type(invitation.getByLabel(/^Email/), 'new@example.com');
  await press(invitation.getByRole('button', { name: /^(Invite|Send)/ }));
  await invitation.getByText('new@example.com').first().waitFor();
  await press(invitation.getByRole('button', { name: /^(Done|Close)$/ }).first());
  await invitation.waitFor({ state: 'detached' });
  await hasFocus(inviting);

  await search(page, 'finance', 'Finance');
  await tabTo(page.getByRole('tab', { name: 'Reports' }));
  await page.keyboard.press('ArrowRight');
  await hasFocus(page.getByRole('tab', { name: 'Access', selected: true }));
  const adding = page.getByRole('button', { name: 'Add member' });
  await press(adding);
  const grant = page.getByRole('dialog', { name: 'Add member to Finance' });
  await pick(grant.getByRole('combobox', { name: 'Users and groups' }), 'gina');
  await press(grant.getByRole('button', { name: 'Grant access' }));
  await grant.waitFor({ state: 'detached' });
  await hasFocus(adding);
  await page.getByRole('row', { name: /^gina/ }).waitFor();

  const menu = page.getByRole('button', { name: 'Your account' });
  await choose(page, menu, 'Account');
  await hasFocus(heading(page, 'Account'));
  await select(page.getByRole('combobox', { name: 'Language' }), 'English');
  await page.getByText('Your preferences were saved.').waitFor();
  expect((await (await asAdmin(portal, 'GET', '/api/users/me')).json()) as object).toMatchObject({
    locale: 'en',
  });

  await choose(page, menu, 'Sign out');
  await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor();
}, 120_000);
