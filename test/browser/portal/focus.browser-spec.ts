import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { confirm, pathOfUser, section } from './admin.js';
import { asAdmin, invite, member } from './people.js';
import { Portal } from './portal.js';
import { createGroup, idOf } from './viewers.js';

let portal: Portal;
/** Where the dialogs are. */
const paths = { user: '', disabled: '', account: '', people: '', group: '', report: '' };

async function createAccount(name: string): Promise<string> {
  const response = await asAdmin(portal, 'POST', '/api/service-accounts', { name });
  return `/service-accounts/${((await response.json()) as { id: string }).id}`;
}

beforeAll(async () => {
  portal = await Portal.open();
  await member(portal, 'focus@example.com');
  await member(portal, 'disabled@example.com');
  await invite(portal, 'pending@example.com');
  paths.user = await pathOfUser(portal, 'focus@example.com');
  paths.disabled = await pathOfUser(portal, 'disabled@example.com');
  await asAdmin(portal, 'PATCH', `/api${paths.disabled}`, { status: 'disabled' });
  paths.account = await createAccount('Focus');
  paths.group = `/groups/${await createGroup(portal, 'Focus group', ['focus@example.com'])}`;
  paths.report = `/reports/${await idOf(portal, 'reports', 'Pipeline')}`;
  paths.people = `/workspaces/${await idOf(portal, 'workspaces', 'Sales')}?tab=access`;
}, 120_000);
afterEach(() => expect(portal.pageErrors).toEqual([]));
afterAll(() => portal.close());

/** Waits until the element has the keyboard's focus. */
const hasFocus = (page: Page, element: Locator) => element.and(page.locator(':focus')).waitFor();

const heading = (page: Page, name: string) => page.getByRole('heading', { name, level: 1 });

type Opener = [name: string, path: () => string, opener: (page: Page) => Locator];

const button =
  (name: string | RegExp) =>
  (page: Page): Locator =>
    page.getByRole('button', { name, exact: typeof name === 'string' }).first();

const dialogs: Opener[] = [
  ['invite a user', () => '/invitations', button('Invite user')],
  ['revoke an invitation', () => '/invitations', button(/^Revoke invitation for/)],
  ['new service account', () => '/service-accounts', button('New service account')],
  ['add a secret', () => paths.account, button('Add secret')],
  ['revoke a secret', () => paths.account, button('Revoke secret 1')],
  ['disable a service account', () => paths.account, button('Disable')],
  ['delete a service account', () => paths.account, button('Delete')],
  ['disable a user', () => paths.user, button('Disable')],
  ['erase a user', () => paths.disabled, button('Delete user permanently')],
  ['grant a workspace', () => `${paths.user}?tab=access`, button('Grant workspace access')],
  ['change a grant', () => `${paths.user}?tab=access`, button('Edit Sales')],
  ['remove a grant', () => `${paths.user}?tab=access`, button('Remove Sales')],
  ['end all sessions of a user', () => `${paths.user}?tab=sign-in`, button('Sign out everywhere')],
  ['link an identity', () => `${paths.user}?tab=sign-in`, button('Link identity')],
  ['add a member', () => paths.people, button('Add member')],
  ['invite a member', () => paths.people, button('Invite user')],
  ['change a member', () => paths.people, button(/^Edit /)],
  ['new group', () => '/groups', button('New group')],
  ['edit a group', () => paths.group, button('Edit')],
  ['add members to a group', () => paths.group, button('Add members')],
  ['remove a member of a group', () => paths.group, button(/^Remove /)],
  ['share a report', () => `${paths.report}/access?tab=grants`, button('Share')],
  ['why a person can see a report', () => `${paths.report}/access`, button(/^Why can /)],
  ['end own sessions', () => '/account', button('Sign out all other sessions')],
  ['block embedding', () => '/embedding?tab=revocations', button('Block embedding')],
  ['a sync (drawer)', () => '/syncs', (page) => page.getByRole('row').nth(1).getByRole('link')],
  ['a dataset (drawer)', () => '/datasets', (page) => page.getByRole('row').nth(1).getByRole('link').first()],
];

describe('focus returns to the element that opened a dialog', () => {
  test.each(dialogs)('%s', async (name, path, openerOf) => {
    const page = await portal.as(portal.admin, path());
    const opener = openerOf(page);
    const dialog = page.getByRole('dialog');
    const cancel = dialog.getByRole('button', { name: 'Cancel' });
    const closings = [
      () => page.keyboard.press('Escape'),
      () => dialog.getByRole('button', { name: 'Close' }).click(),
      async () => {
        // Dialogs that only show something have no other button.
        if ((await dialog.locator('button[type=submit]').or(cancel).count()) > 0) await cancel.click();
        else await page.keyboard.press('Escape');
      },
    ];
    for (const close of closings) {
      await opener.press('Enter');
      await dialog.and(page.locator(':has(:focus)')).waitFor();
      // A drawer shows what it contains before its form.
      if (name === 'a dataset (drawer)') await cancel.waitFor();
      else if (!name.endsWith('(drawer)') && (await dialog.locator('form').count()) > 0)
        await dialog.locator('form :focus').waitFor();
      await close();
      await dialog.waitFor({ state: 'detached' });
      await hasFocus(page, opener);
    }
    await page.context().close();
  });

  test('a dialog opened from a menu: to the button of the menu', async () => {
    const page = await portal.as(portal.admin, '/audit');
    await button('Export')(page).press('Enter');
    await page.getByRole('menuitem').first().press('Enter');
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).press('Enter');
    await hasFocus(page, button('Export')(page));
  });

  test('a dialog opened by the URL: to the heading of the page', async () => {
    const page = await portal.as(portal.admin, '/invitations?new=yes');
    const dialog = page.getByRole('dialog');
    await hasFocus(page, dialog.getByLabel(/^Email/));
    await page.keyboard.press('Tab');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await hasFocus(page, heading(page, 'Invitations'));
  });

  test('a dialog inside a drawer: to the drawer', async () => {
    const page = await portal.as(portal.admin, '/datasets?policy=set');
    await page.getByRole('row').nth(1).getByRole('link').first().press('Enter');
    const drawer = page.getByRole('dialog', { name: 'Row-level security' });
    await drawer.getByRole('button', { name: 'Remove policy' }).press('Enter');
    await page.getByRole('dialog', { name: 'Remove policy?' }).waitFor();
    await page.keyboard.press('Escape');
    await hasFocus(page, drawer.getByRole('button', { name: 'Remove policy' }));
    await drawer.getByRole('button', { name: 'Remove policy' }).press('Enter');
    const question = page.getByRole('dialog', { name: 'Remove policy?' });
    // An opening dialog moves focus to its first button, also away from the one that is pressed.
    await hasFocus(page, question.getByRole('button', { name: 'Cancel' }));
    await question.getByRole('button', { name: 'Remove policy' }).press('Enter');
    await drawer.getByRole('button', { name: 'Remove policy' }).waitFor({ state: 'detached' });
    await hasFocus(page, drawer.getByRole('heading', { name: 'Row-level security' }));
  });
});

describe('focus moves to the heading of the section', () => {
  test('when the row of the button is removed', async () => {
    const page = await portal.as(portal.admin, `${paths.disabled}?tab=access`);
    await button('Remove Sales')(page).press('Enter');
    await confirm(page, 'Remove');
    await section(page, 'Access').getByText('No access granted').waitFor();
    await hasFocus(page, page.getByRole('heading', { name: 'Access', level: 2 }));
  });

  test('when the button is disabled by its own action', async () => {
    const page = await portal.as(portal.admin, await createAccount('Two secrets'));
    await button('Add secret')(page).press('Enter');
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Add', exact: true }).press('Enter');
    await dialog.getByRole('button', { name: 'Done' }).press('Enter');
    await page.getByText('You can have up to two secrets.').waitFor();
    await hasFocus(page, page.getByRole('heading', { name: 'Secrets', level: 2 }));
  });
});

test('a button keeps focus while its action runs', async () => {
  const page = await portal.as(portal.admin, '/syncs');
  const sync = button('Sync now')(page);
  await sync.press('Enter');
  await page.getByText('Sync started.').waitFor();
  await hasFocus(page, sync);
});

describe('a page opened by a link', () => {
  test('focuses its heading, and sets the title of the tab', async () => {
    const page = await portal.as(portal.admin, '/groups');
    await page.getByRole('link', { name: 'Users' }).press('Enter');
    await hasFocus(page, heading(page, 'Users'));
    expect(await page.title()).toBe('Users · Vitrine');
    await page.getByRole('link', { name: 'Mina Member' }).first().click();
    await hasFocus(page, heading(page, 'Mina Member'));
    await page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('link').click();
    await hasFocus(page, heading(page, 'Users'));
    await page.goBack();
    await hasFocus(page, heading(page, 'Mina Member'));
  });

  test('announces a name that is loaded later', async () => {
    const page = await portal.as(portal.admin, '/workspaces');
    const loaded = Promise.withResolvers<void>();
    await page.route('**/api/workspaces/*', async (route) => {
      await loaded.promise;
      await route.continue();
    });
    await page.getByRole('link', { name: 'Sales' }).press('Enter');
    await hasFocus(page, heading(page, 'Workspace'));
    loaded.resolve();
    await hasFocus(page, heading(page, 'Sales'));
    expect(await heading(page, 'Sales').getAttribute('aria-live')).toBe('polite');
    await page.unroute('**/api/workspaces/*');
  });

  test('focuses its heading when a report replaces the loading state', async () => {
    const page = await portal.as(portal.admin, '/reports');
    await page.getByRole('link', { name: 'Pipeline' }).press('Enter');
    await hasFocus(page, heading(page, 'Pipeline'));
  });

  test('focuses its heading, from the menu on a phone and after the sign-in form', async () => {
    const page = await portal.tab(await portal.newContext('phone'));
    await portal.signIn(page, portal.admin);
    await hasFocus(page, page.getByRole('heading', { name: /^Good/, level: 1 }));
    await page.getByRole('button', { name: 'Open menu' }).click();
    await page.getByRole('link', { name: 'Admin' }).click();
    await hasFocus(page, heading(page, 'Users'));
  });

  test('starts with the skip link when opened by URL, and a selected tab keeps focus', async () => {
    const page = await portal.as(portal.admin, paths.user);
    await heading(page, 'Mina Member').waitFor();
    await page.keyboard.press('Tab');
    await hasFocus(page, page.getByRole('button', { name: 'Skip to content' }));
    const tab = page.getByRole('tab', { name: 'Access' });
    await tab.click();
    await section(page, 'Access').waitFor();
    await hasFocus(page, tab);
  });
});
