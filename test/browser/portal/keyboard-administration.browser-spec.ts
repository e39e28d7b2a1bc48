import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { pathOfUser, section } from './admin.js';
import { isShown } from './embedded.js';
import {
  button,
  choose,
  dialogOf,
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
  sectionHeading,
} from './keyboard.js';
import { chosen, member } from './people.js';
import { Portal } from './portal.js';
import { createGroup, idOf, viewer } from './viewers.js';

let portal: Portal;

beforeAll(async () => {
  portal = await Portal.open();
}, 120_000);
afterEach(() => expect(portal.pageErrors).toEqual([]));
afterAll(() => portal.close());

test('an admin changes, views as, disables and deletes a user', async () => {
  const { email } = await member(portal, 'walked@example.com');
  const page = await openAsAdmin(portal, await pathOfUser(portal, email));
  await hasFocus(heading(page, 'Mina Member'));
  const name = section(page, 'Name and role').getByLabel(/^Name/);
  await tabTo(name);
  await page.keyboard.press('Control+a');
  await page.keyboard.type('Mina Miller');
  await page.keyboard.press('Enter');
  await page.getByText('Changes saved.').waitFor();
  await hasFocus(name);

  await press(section(page, 'Attributes').getByRole('button', { name: 'Add attribute' }));
  await hasFocus(page.getByLabel('Name of attribute 1'));
  await page.keyboard.type('region');
  await type(page.getByLabel('Value of attribute 1'), 'Europe');
  await page.keyboard.press('Enter');
  await page.getByText('Attributes saved.').waitFor();
  await hasFocus(sectionHeading(page, 'Attributes'));

  await press(section(page, 'Disable user').getByRole('button', { name: 'Disable' }));
  await press(dialogOf(page, 'Disable Mina Miller?').getByRole('button', { name: 'Disable' }));
  await section(page, 'Enable user').getByRole('button', { name: 'Enable' }).waitFor();
  await hasFocus(sectionHeading(page, 'Enable user'));

  await press(button(page, 'Delete user permanently'));
  const deletion = dialogOf(page, 'Delete Mina Miller permanently?');
  await hasFocus(deletion.getByLabel(`Type ${email} to confirm`));
  await page.keyboard.type(email);
  await page.keyboard.press('Enter');
  await page.getByText('Mina Miller was deleted.').waitFor();
  await deletion.waitFor({ state: 'detached' });
  await hasFocus(heading(page, 'Users'));
}, 120_000);

test('an admin views as a user, grants and removes access, and signs the user out', async () => {
  const { email } = await member(portal, 'granted@example.com');
  const page = await openAsAdmin(portal, await pathOfUser(portal, email));
  await press(page.getByRole('link', { name: 'View as' }));
  await hasFocus(heading(page, 'View as Mina Member'));
  await press(
    page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('link', { name: 'Mina Member' }),
  );
  await hasFocus(heading(page, 'Mina Member'));

  await tabTo(page.getByRole('tab', { name: 'Profile' }));
  await page.keyboard.press('ArrowRight');
  await hasFocus(page.getByRole('tab', { name: 'Access', selected: true }));
  const granting = button(page, 'Grant workspace access');
  await press(granting);
  const grant = dialogOf(page, 'Grant access to Mina Member');
  await pick(grant.getByRole('combobox', { name: 'Workspace' }), 'Finance');
  await press(grant.getByRole('button', { name: 'Grant access' }));
  await grant.waitFor({ state: 'detached' });
  await hasFocus(granting);
  await press(button(page, /^Remove Finance/));
  await press(dialogOf(page, /^Remove Mina Member from Finance/).getByRole('button', { name: 'Remove' }));
  await page.getByRole('row', { name: /^Finance/ }).waitFor({ state: 'detached' });
  await hasFocus(sectionHeading(page, 'Access'));

  await tabTo(page.getByRole('tab', { name: 'Access' }), 'Shift+Tab');
  await page.keyboard.press('ArrowRight');
  await hasFocus(page.getByRole('tab', { name: 'Sign-in', selected: true }));
  const ending = button(page, 'Sign out everywhere');
  await press(ending);
  const question = dialogOf(page, 'Sign out Mina Member everywhere?');
  await press(question.getByRole('button', { name: 'Sign out everywhere' }));
  await page.getByText('Mina Member was signed out everywhere.').waitFor();
  await question.waitFor({ state: 'detached' });
  await hasFocus(sectionHeading(page, 'Active sessions'));
}, 120_000);

test('an admin fills, renames and deletes a group', async () => {
  await viewer(portal, 'otto@example.com');
  const id = await createGroup(portal, 'Auditors');
  const page = await openAsAdmin(portal, `/groups/${id}`);
  const adding = button(page, 'Add members');
  await press(adding);
  const dialog = dialogOf(page, 'Add members to Auditors');
  await pick(dialog.getByRole('combobox').first(), 'otto');
  await press(dialog.getByRole('button', { name: 'Add members' }));
  await dialog.waitFor({ state: 'detached' });
  await hasFocus(adding);
  await press(button(page, /^Remove otto/));
  await press(dialogOf(page, /^Remove otto/).getByRole('button', { name: 'Remove' }));
  await page.getByRole('heading', { name: 'This group has no members yet' }).waitFor();
  await hasFocus(heading(page, 'Auditors'));

  const editing = button(page, 'Edit');
  await tabTo(editing, 'Shift+Tab');
  await page.keyboard.press('Enter');
  const edit = dialogOf(page, 'Edit group');
  await hasFocus(edit.getByLabel(/^Name/));
  await page.keyboard.press('Control+a');
  await page.keyboard.type('Controllers');
  await page.keyboard.press('Enter');
  await edit.waitFor({ state: 'detached' });
  await hasFocus(editing);
  await press(button(page, 'Delete'));
  await press(dialogOf(page, 'Delete Controllers?').getByRole('button', { name: 'Delete group' }));
  await hasFocus(heading(page, 'Groups'));
}, 120_000);

test('an admin sets row-level security, checks a report and blocks it', async () => {
  const { email } = await member(portal, 'checked@example.com');
  const page = await openAsAdmin(portal, '/datasets?q=representative');
  const dataset = page.getByRole('link', { name: 'Sales by representative' });
  await press(dataset);
  const drawer = dialogOf(page, 'Row-level security');
  await press(drawer.getByRole('button', { name: 'Insert {{id}} into the username' }));
  await press(drawer.getByRole('button', { name: 'Save' }));
  await page.getByText('Policy saved.').waitFor();
  await page.keyboard.press('Escape');
  await drawer.waitFor({ state: 'detached' });
  await hasFocus(dataset);

  await search(page, 'embedding', 'Embedding');
  await pick(page.getByRole('combobox', { name: 'Report' }), 'Pipeline');
  await pick(page.getByRole('combobox', { name: 'User' }), email);
  await page.getByText('Report can be embedded').waitFor();
  await tabTo(page.getByRole('tab', { selected: true }), 'Shift+Tab');
  for (const name of ['Issued tokens', 'Blocks']) {
    await page.keyboard.press('ArrowRight');
    await hasFocus(page.getByRole('tab', { name, selected: true }));
  }
  const blocking = button(page, 'Block embedding');
  await press(blocking);
  const block = dialogOf(page, 'Block embedding');
  await pick(block.getByRole('combobox', { name: 'Report' }), 'Pipeline');
  await type(block.getByLabel('Reason'), 'Wrong figures');
  await press(block.getByRole('button', { name: 'Block', exact: true }));
  await press(block.getByRole('button', { name: 'Done' }));
  await block.waitFor({ state: 'detached' });
  await hasFocus(blocking);
  await press(button(page, /^Remove block of/));
  await press(dialogOf(page, 'Remove block?').getByRole('button', { name: 'Remove block' }));
  await page.getByRole('heading', { name: 'No blocks' }).waitFor();
  await hasFocus(heading(page, 'Embedding'));
}, 120_000);

test('an admin starts a sync and reads its details', async () => {
  const page = await openAsAdmin(portal);
  await search(page, 'syncs', 'Syncs');
  const starting = button(page, 'Sync now');
  await press(starting);
  await page.getByText('Sync started.').waitFor();
  await hasFocus(starting);
  const run = page
    .getByRole('row', { name: /Succeeded.*Startup/ })
    .getByRole('link')
    .first();
  await press(run);
  const details = dialogOf(page, 'Sync');
  await details.waitFor();
  await page.keyboard.press('Escape');
  await details.waitFor({ state: 'detached' });
  await hasFocus(run);
}, 120_000);

test('a manager shares a report, and changes the settings of the workspace', async () => {
  const manager = await viewer(portal, 'mona@example.com', { Sales: 'manager' });
  await viewer(portal, 'paula@example.com');
  const page = await openAs(portal, manager, `/reports/${await idOf(portal, 'reports', 'Pipeline')}`);
  await isShown(page, 'Pipeline');
  const more = button(page, 'More actions');
  await choose(page, more, 'Share');
  const share = dialogOf(page, /Pipeline/);
  await pick(share.getByRole('combobox').first(), 'paula@example.com');
  await press(share.getByRole('button', { name: 'Grant access' }));
  await page.getByText(/^Access granted to/).waitFor();
  await share.waitFor({ state: 'detached' });
  await hasFocus(more);

  await tabTo(page.getByRole('link', { name: 'Sales', exact: true }), 'Shift+Tab');
  await page.keyboard.press('Enter');
  await hasFocus(heading(page, 'Sales'));
  await tabTo(page.getByRole('tab', { selected: true }));
  for (const name of ['Access', 'Settings']) {
    await page.keyboard.press('ArrowRight');
    await hasFocus(page.getByRole('tab', { name, selected: true }));
  }
  const contact = section(page, 'Contact').getByLabel('Email address or link');
  await type(contact, 'sales-reports@example.com');
  await page.keyboard.press('Enter');
  await page.getByText('Changes saved').waitFor();
  await hasFocus(contact);
}, 120_000);

test('a reader manages views, the account and the sessions', async () => {
  const reader = await viewer(portal, 'lena@example.com', { Sales: 'viewer' });
  const { password } = reader;
  await portal.started.post('/api/auth/token', reader);
  const page = await openAs(portal, reader, `/reports/${await idOf(portal, 'reports', 'Pipeline')}`);
  await isShown(page, 'Pipeline');
  const views = button(page, 'Saved views');
  await choose(page, views, 'Save current view');
  await hasFocus(dialogOf(page, 'Save current view').getByLabel(/^Name/));
  await page.keyboard.type('Mine');
  await page.keyboard.press('Enter');
  await page.getByText('View “Mine” saved').waitFor();
  await choose(page, views, 'Manage views');
  const managing = dialogOf(page, 'Saved views');
  await press(managing.getByRole('button', { name: 'Delete Mine' }));
  await press(dialogOf(page, 'Delete Mine?').getByRole('button', { name: 'Delete view' }));
  await managing.getByText('No saved views yet').waitFor();
  await page.keyboard.press('Escape');
  await managing.waitFor({ state: 'detached' });
  await hasFocus(views);

  const menu = button(page, 'Your account');
  await tabTo(menu, 'Shift+Tab');
  await choose(page, menu, 'Account');
  await hasFocus(heading(page, 'Account'));
  const editing = button(page, 'Edit name');
  await press(editing);
  await page.keyboard.press('Control+a');
  await page.keyboard.type('Lena Lind');
  await page.keyboard.press('Enter');
  await section(page, 'Profile').getByText('Lena Lind').waitFor();
  await hasFocus(editing);
  await select(page.getByRole('combobox', { name: 'Language' }), 'English');
  await type(page.getByLabel(/^Current password/), password);
  await type(page.getByLabel(/^New password/), chosen);
  await page.keyboard.press('Enter');
  await page.getByText('Password changed. Your other sessions were signed out.').waitFor();
  await hasFocus(page.getByLabel(/^New password/));
  await portal.started.post('/api/auth/token', { ...reader, password: chosen });
  await page.reload();
  await press(button(page, 'Sign out all other sessions'));
  const question = dialogOf(page, 'Sign out all other sessions?');
  await press(question.getByRole('button', { name: 'Sign out all other sessions' }));
  await page.getByText('All other sessions were signed out.').waitFor();
  await question.waitFor({ state: 'detached' });
  await hasFocus(sectionHeading(page, 'Active sessions'));
}, 120_000);
