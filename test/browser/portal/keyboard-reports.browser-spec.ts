import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { pathOfUser, section } from './admin.js';
import { isShown } from './embedded.js';
import {
  button,
  choose,
  dialogOf,
  hasFocus,
  heading,
  openAsAdmin,
  press,
  sectionHeading,
  signIn,
  tabTo,
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
  const page = await portal.tab(await portal.newContext());
  const id = await idOf(portal, 'reports', 'Revenue overview');
  await signIn(portal, page, reader, `/reports/${id}`);
  await isShown(page, 'Revenue overview');
  await hasFocus(heading(page, 'Revenue overview'));
  return page;
}

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
  await press(question.getByRole('button', { name: 'Change address' }));
  await page.getByText('The email address is now moved@example.com.').waitFor();
  await question.waitFor({ state: 'detached' });
  await hasFocus(address);

  await page.keyboard.press('Control+a');
  await page.keyboard.type('again@example.com');
  await press(changing);
  const again = dialogOf(page, 'Change the address to again@example.com?');
  await press(again.getByRole('button', { name: 'Change address' }));
  await page.getByText('The email address is now again@example.com.').waitFor();
  await again.waitFor({ state: 'detached' });
  await hasFocus(sectionHeading(page, 'Email address'));
}, 120_000);
