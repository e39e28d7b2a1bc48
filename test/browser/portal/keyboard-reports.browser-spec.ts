import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { untilPasses } from '../../support/until.js';
import { pathOfUser, section } from './admin.js';
import { inside, isShown } from './embedded.js';
import {
  answer,
  button,
  choose,
  dialogOf,
  hasFocus,
  heading,
  isChosen,
  openAs,
  openAsAdmin,
  press,
  sectionHeading,
  tabTo,
  type,
} from './keyboard.js';
import { member } from './people.js';
import { Portal } from './portal.js';
import { PowerBi } from './power-bi.js';
import { idOf, viewer } from './viewers.js';

let portal: Portal;

beforeAll(async () => {
  portal = await Portal.open();
}, 120_000);
afterEach(() => expect(portal.pageErrors).toEqual([]));
afterAll(() => portal.close());

/** A report, as a user who has signed in by the keyboard. */
async function openReport(email: string): Promise<Page> {
  const reader = await viewer(portal, email, { Sales: 'editor' });
  const id = await idOf(portal, 'reports', 'Revenue overview');
  const page = await openAs(portal, reader, `/reports/${id}`);
  await isShown(page, 'Revenue overview');
  await hasFocus(heading(page, 'Revenue overview'));
  return page;
}

const pageButton = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Report pages' }).getByRole('button', { name });

/** At the identity provider, from the sign-in page. */
async function leaveForProvider(path: string): Promise<Page> {
  const page = await portal.tab(await portal.newContext());
  await page.goto(`${portal.url}${path}`);
  await press(button(page, 'Sign in with your organization'));
  await page.getByRole('heading', { name: 'Choose an account' }).waitFor();
  return page;
}

test('a user cancels at the identity provider, and signs in there', async () => {
  const page = await leaveForProvider('/');
  await press(page.getByRole('link', { name: 'Cancel' }));
  await hasFocus(heading(page, 'Sign-in failed'));
  await press(page.getByRole('link', { name: 'Back to sign-in' }));
  await hasFocus(heading(page, 'Sign in'));
  await press(button(page, 'Sign in with your organization'));
  await press(page.locator('#ada'));
  await hasFocus(heading(page, /^Good /));
}, 120_000);

test('a user comes back from the identity provider to the requested page', async () => {
  const page = await leaveForProvider('/reports?q=sales');
  await press(page.locator('#ada'));
  await hasFocus(heading(page, 'Reports'));
  expect(new URL(page.url()).search).toBe('?q=sales');
}, 120_000);

test('a reader changes the page of a report, in full screen and outside', async () => {
  const page = await openReport('page@example.com');
  const products = pageButton(page, 'Products');
  await press(products);
  await inside(page).locator('tbody').waitFor();
  await hasFocus(products.and(page.locator('[aria-current=page]')));

  const full = button(page, 'Full screen');
  await tabTo(full, 'Shift+Tab');
  await page.keyboard.press('Enter');
  const leave = button(page, 'Exit full screen');
  await hasFocus(leave);
  await page.keyboard.press('Enter');
  await leave.waitFor({ state: 'detached' });
  await hasFocus(full);

  await page.keyboard.press('Enter');
  await hasFocus(leave);
  const overview = pageButton(page, 'Overview');
  await tabTo(overview, 'Shift+Tab');
  await page.keyboard.press('Enter');
  await hasFocus(overview.and(page.locator('[aria-current=page]')));
  // What Escape does in a browser with a window.
  await page.evaluate('document.exitFullscreen()');
  await leave.waitFor({ state: 'detached' });
  await hasFocus(overview);
}, 120_000);

test('a reader searches in full screen, which ends', async () => {
  const page = await openReport('search@example.com');
  await press(button(page, 'Full screen'));
  await hasFocus(button(page, 'Exit full screen'));
  await page.keyboard.press('Control+k');
  const field = page.getByRole('combobox', { name: /^Search/ });
  await hasFocus(field);
  expect(await page.evaluate('document.fullscreenElement')).toBeNull();
  // A click does not reach what is behind the report.
  await field.click();
  await button(page, 'Full screen').waitFor();
  // Just after full screen, a slow browser still sends keys to the frame of the report.
  await untilPasses(async () => {
    await page.keyboard.press('Escape');
    expect(await field.count()).toBe(0);
  });
}, 120_000);

test('a reader saves, applies, renames and deletes a view', async () => {
  const page = await openReport('view@example.com');
  const views = button(page, 'Saved views');
  const region = inside(page).getByLabel('Region');
  const shows = (value: string) => untilPasses(async () => expect(await region.inputValue()).toBe(value));
  await tabTo(region);
  await page.keyboard.press('End');
  await untilPasses(async () => expect(await region.inputValue()).not.toBe('All'));
  const saved = await region.inputValue();
  await tabTo(views, 'Shift+Tab');
  await choose(page, views, 'Save current view');
  await hasFocus(dialogOf(page, 'Save current view').getByLabel(/^Name/));
  await page.keyboard.type('Mine');
  await page.keyboard.press('Enter');
  await page.getByText('View “Mine” saved').waitFor();
  await hasFocus(views);
  await choose(page, views, 'Save current view');
  await hasFocus(dialogOf(page, 'Save current view').getByLabel(/^Name/));
  await page.keyboard.type('Other');
  await page.keyboard.press('Enter');
  await page.getByText('View “Other” saved').waitFor();

  await tabTo(region);
  await page.keyboard.press('Home');
  await shows('All');
  await tabTo(views, 'Shift+Tab');
  await choose(page, views, 'Mine');
  await hasFocus(views);
  await shows(saved);

  await choose(page, views, 'Manage views');
  const managing = dialogOf(page, 'Saved views');
  // The form of the upper row replaces that of the lower one.
  await press(managing.getByRole('button', { name: 'Rename Other' }));
  await hasFocus(managing.getByLabel('New name of Other'));
  const renaming = managing.getByRole('button', { name: 'Rename Mine' });
  await tabTo(renaming, 'Shift+Tab');
  await page.keyboard.press('Enter');
  await hasFocus(managing.getByLabel('New name of Mine'));
  await page.keyboard.press('Control+a');
  await page.keyboard.type('Ours');
  await page.keyboard.press('Enter');
  await hasFocus(managing.getByRole('button', { name: 'Rename Ours' }));
  await press(managing.getByRole('button', { name: 'Delete Ours' }));
  await answer(page, 'Delete Ours?', 'Delete view');
  await managing.getByText('Ours').waitFor({ state: 'detached' });
  await hasFocus(managing.getByRole('heading', { name: 'Saved views' }));
  await page.keyboard.press('Escape');
  await managing.waitFor({ state: 'detached' });
  await hasFocus(views);
}, 120_000);

test('a reader starts an export, and cancels it', async () => {
  await new PowerBi(portal).settings({ job_seconds: 600 });
  const page = await openReport('export@example.com');
  const exporting = button(page, 'Export');
  await choose(page, exporting, 'PDF');
  await hasFocus(exporting);
  const notice = page.getByRole('region', { name: 'Export' });
  await press(notice.getByRole('button', { name: 'Cancel' }));
  await notice.getByText('Export cancelled').waitFor();
  await hasFocus(heading(page, 'Revenue overview'));
  await press(notice.getByRole('button', { name: 'Close' }));
  await notice.waitFor({ state: 'detached' });
  await hasFocus(heading(page, 'Revenue overview'));
}, 120_000);

test('an admin changes the email address of a user', async () => {
  const { email } = await member(portal, 'moves@example.com');
  const page = await openAsAdmin(portal, await pathOfUser(portal, email));
  const address = section(page, 'Email address').getByLabel(/^Email/);
  const changing = button(page, 'Change address');
  await tabTo(address);
  await page.keyboard.press('Control+a');
  await page.keyboard.type('moved@example.com');
  await page.keyboard.press('Enter');
  const question = dialogOf(page, 'Change the address to moved@example.com?');
  await hasFocus(question.getByRole('button', { name: 'Cancel' }));
  await page.keyboard.press('Enter');
  await question.waitFor({ state: 'detached' });
  await hasFocus(address);
  await page.keyboard.press('Enter');
  await answer(page, 'Change the address to moved@example.com?', 'Change address');
  await page.getByText('The email address is now moved@example.com.').waitFor();
  await hasFocus(address);

  await page.keyboard.press('Control+a');
  await page.keyboard.type('again@example.com');
  await press(changing);
  await answer(page, 'Change the address to again@example.com?', 'Change address');
  await page.getByText('The email address is now again@example.com.').waitFor();
  await hasFocus(sectionHeading(page, 'Email address'));
}, 120_000);

test('an admin links an identity to a user, and unlinks it', async () => {
  const { email } = await member(portal, 'linked@example.com');
  const page = await openAsAdmin(portal, `${await pathOfUser(portal, email)}?tab=sign-in`);
  const linking = button(page, 'Link identity');
  await press(linking);
  const dialog = dialogOf(page, 'Link identity to Mina Member');
  await hasFocus(dialog.getByLabel(/^Tenant ID/));
  await page.keyboard.press('Shift+Tab');
  await isChosen(dialog.getByRole('radio', { name: 'Microsoft Entra ID' }));
  await page.keyboard.press('ArrowRight');
  await isChosen(dialog.getByRole('radio', { name: 'Other' }));
  await type(dialog.getByLabel(/^Subject/), 'walked');
  await page.keyboard.press('Enter');
  await page.getByText('Mina Member can now sign in with this identity.').waitFor();
  await dialog.waitFor({ state: 'detached' });
  await hasFocus(linking);

  const unlinking = button(page, 'Unlink');
  await tabTo(unlinking, 'Shift+Tab');
  await page.keyboard.press('Enter');
  await answer(page, 'Unlink walked?', 'Unlink');
  await page.getByText('No linked identities.').waitFor();
  await hasFocus(sectionHeading(page, 'Linked identities'));
}, 120_000);
