import { readFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { png, svg } from '../../support/images.js';
import { section } from './admin.js';
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
  pick,
  press,
  sectionHeading,
  select,
  signIn,
  tabTo,
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

const CSV = 'CSV For spreadsheets';
const NDJSON = 'NDJSON For programs: one JSON object per line';

/** The content of the download that `start` leads to. */
async function downloaded(page: Page, start: () => Promise<void>): Promise<string> {
  const coming = page.waitForEvent('download');
  await start();
  return readFileSync(await (await coming).path(), 'utf8');
}

test('an admin exports the audit log, with a filter, without one, and cancels', async () => {
  const page = await openAsAdmin(portal, '/audit?action=signed_in');
  // No test can answer the dialog of the system.
  await page.evaluate('delete window.showSaveFilePicker');
  const exporting = button(page, 'Export');
  const csv = await downloaded(page, () => choose(page, exporting, CSV));
  expect(csv).toContain('signed_in');
  expect(csv).not.toContain('user_created');
  await page.getByText('Export complete').waitFor();
  await hasFocus(exporting);
  await press(page.getByRole('status').getByRole('button', { name: 'Close' }));
  await page.getByText('Export complete').waitFor({ state: 'detached' });
  await hasFocus(heading(page, 'Audit log'));

  await press(button(page, 'Clear all filters'));
  await button(page, 'Clear all filters').waitFor({ state: 'detached' });
  await hasFocus(heading(page, 'Audit log'));
  const question = dialogOf(page, 'Export the whole audit log?');
  await choose(page, exporting, NDJSON);
  await press(question.getByRole('button', { name: 'Cancel' }));
  await question.waitFor({ state: 'detached' });
  await hasFocus(exporting);
  const lines = await downloaded(page, async () => {
    await choose(page, exporting, NDJSON);
    await answer(page, 'Export the whole audit log?', 'Export everything');
  });
  expect(lines).toContain('"action":"user_created"');
  await hasFocus(exporting);

  await page.route('**/api/audit-events?*', (route) =>
    // Without a response, until it is cancelled.
    route.request().headers().accept === 'text/csv' ? undefined : route.continue(),
  );
  await choose(page, exporting, CSV);
  await answer(page, 'Export the whole audit log?', 'Export everything');
  await hasFocus(exporting);
  const cancelling = button(page, 'Cancel');
  await press(cancelling);
  await cancelling.waitFor({ state: 'detached' });
  await hasFocus(heading(page, 'Audit log'));
}, 120_000);

/** Opens the chooser of files by the keyboard, and takes this file in it. */
async function upload(control: Locator, file: { name: string; mimeType: string; buffer: Buffer }) {
  const page = control.page();
  // It begins to wait before Tab: a key can overtake the command that takes the chooser from the system.
  const opening = page.waitForEvent('filechooser');
  await press(control);
  await (await opening).setFiles(file);
}

test('an admin chooses, replaces and removes an image, and resets the branding', async () => {
  await asAdmin(portal, 'PUT', '/api/settings/branding', { product_name: 'Contoso Reports' });
  const page = await openAsAdmin(portal, '/settings/branding');
  const group = page.getByRole('group', { name: 'Logo', exact: true });
  // It is busy until the image is saved.
  const replacing = group.getByRole('button', { name: 'Replace', disabled: false });
  await upload(group.getByRole('button', { name: 'Upload' }), {
    name: 'logo.png',
    mimeType: 'image/png',
    buffer: png(120, 30),
  });
  await page.getByText('Logo saved').waitFor();
  await group.getByRole('img').waitFor();
  await hasFocus(replacing);
  await upload(replacing, {
    name: 'logo.svg',
    mimeType: 'image/svg+xml',
    buffer: svg('<script>alert(1)</script>'),
  });
  await group.getByRole('alert').waitFor();
  await hasFocus(replacing);
  await press(group.getByRole('button', { name: 'Remove' }));
  await group.getByRole('img').waitFor({ state: 'detached' });
  await hasFocus(sectionHeading(page, 'Images'));

  const resetting = button(page, 'Reset to defaults');
  await tabTo(resetting, 'Shift+Tab');
  await page.keyboard.press('Enter');
  const question = dialogOf(page, 'Reset branding?');
  await page.keyboard.press('Escape');
  await question.waitFor({ state: 'detached' });
  await hasFocus(resetting);
  await page.keyboard.press('Enter');
  await answer(page, 'Reset branding?', 'Reset to defaults');
  await page.getByRole('banner').getByText('Vitrine').waitFor();
  await hasFocus(resetting);
}, 120_000);

test('a reader opens the help, and reports a problem', async () => {
  const page = await portal.tab(await portal.newContext());
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await signIn(portal, page, await viewer(portal, 'hugo@example.com'), '/reports');
  await hasFocus(heading(page, 'Reports'));
  await tabTo(page.getByRole('banner').getByRole('link', { name: 'Help' }), 'Shift+Tab');
  await page.keyboard.press('Enter');
  await hasFocus(heading(page, 'Help'));
  await press(page.getByRole('main').getByRole('link', { name: 'Your access requests' }));
  await hasFocus(heading(page, 'Access requests'));
  // A headless browser has no key for Back.
  await page.goBack();
  await hasFocus(heading(page, 'Help'));

  const menu = button(page, 'Your account');
  const dialog = dialogOf(page, 'Report a problem');
  await tabTo(menu, 'Shift+Tab');
  await choose(page, menu, 'Report a problem');
  await hasFocus(dialog.getByRole('button', { name: 'Close' }));
  await press(dialog.getByRole('button', { name: 'Copy details' }));
  await hasFocus(dialog.getByRole('button', { name: 'Copied' }));
  expect(await page.evaluate('navigator.clipboard.readText()')).toContain(`Page: ${portal.url}/help`);
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await hasFocus(menu);
  await choose(page, menu, 'Report a problem');
  await press(dialog.getByRole('button', { name: 'Cancel' }));
  await dialog.waitFor({ state: 'detached' });
  await hasFocus(menu);
}, 120_000);

test('a reader reports a problem below the failure, and tries again', async () => {
  const page = await portal.tab(await portal.newContext());
  const problem = { status: 500, code: 'internal_error', title: '', detail: '', request_id: 'request-17' };
  await page.route('**/api/reports?*', (route) => route.fulfill({ status: 500, json: problem }));
  await signIn(portal, page, await viewer(portal, 'frida@example.com'), '/reports');
  const alert = page.getByRole('alert');
  const reporting = alert.getByRole('button', { name: 'Report a problem' });
  await press(reporting);
  const dialog = dialogOf(page, 'Report a problem');
  await dialog.getByText('Request ID: request-17').waitFor();
  await press(dialog.getByRole('button', { name: 'Cancel' }));
  await dialog.waitFor({ state: 'detached' });
  await hasFocus(reporting);
  await page.unroute('**/api/reports?*');
  const trying = alert.getByRole('button', { name: 'Try again' });
  await tabTo(trying, 'Shift+Tab');
  await page.keyboard.press('Enter');
  await alert.waitFor({ state: 'detached' });
  await hasFocus(heading(page, 'Reports'));
}, 120_000);

const theme = (page: Page, name: string) =>
  page.getByRole('radiogroup', { name: 'Theme' }).getByRole('radio', { name });

test('a user changes time zone, language and theme, and signs out one session', async () => {
  // The session in which the invitation was accepted is the other one.
  const user = await viewer(portal, 'theo@example.com');
  const page = await openAs(portal, user, '/account');
  const zone = page.getByRole('combobox', { name: 'Time zone' });
  await pick(zone, 'Lisbon');
  await page.getByText('Your preferences were saved.').first().waitFor();
  await hasFocus(zone);
  const language = page.getByRole('combobox', { name: /^(Language|Sprache)$/ });
  await tabTo(language, 'Shift+Tab');
  await select(language, 'Deutsch');
  await sectionHeading(page, 'Sprache und Zeitzone').waitFor();
  await hasFocus(language);
  await select(language, 'English');
  await sectionHeading(page, 'Language and time zone').waitFor();
  await hasFocus(language);

  await tabTo(button(page, 'Sign out all other sessions'));
  await page.keyboard.press('Tab');
  await isChosen(theme(page, 'System'));
  await page.keyboard.press('ArrowLeft');
  await isChosen(theme(page, 'Dark'));
  await page.reload();
  await page.locator('html[data-mantine-color-scheme=dark]').waitFor();
  await zone.waitFor();
  expect(await zone.inputValue()).toBe('Europe/Lisbon');
  const menu = button(page, 'Your account');
  await choose(page, menu, 'Light theme');
  await page.locator('html[data-mantine-color-scheme=light]').waitFor();
  await hasFocus(menu);

  await press(button(page, 'Sign out node'));
  await answer(page, 'Sign out node?', 'Sign out');
  await section(page, 'Active sessions').getByText('You have no other active sessions.').waitFor();
  await hasFocus(sectionHeading(page, 'Active sessions'));
}, 120_000);

test('an admin revokes a provisioning token', async () => {
  const created = await asAdmin(portal, 'POST', '/api/service-accounts', { name: 'Entra', scopes: ['scim'] });
  const { client_secret } = (await created.json()) as { client_secret: string };
  const provisions = async (): Promise<number> => {
    const headers = { Authorization: `Bearer ${client_secret}` };
    return (await fetch(`${portal.url}/scim/v2/Users`, { headers })).status;
  };
  expect(await provisions()).toBe(200);
  const page = await openAsAdmin(portal, '/settings/provisioning');
  await press(page.getByRole('link', { name: 'Entra', exact: true }));
  await hasFocus(heading(page, 'Entra'));
  const revoking = button(page, 'Revoke secret 1');
  await press(revoking);
  await page.keyboard.press('Escape');
  await dialogOf(page, 'Revoke this secret?').waitFor({ state: 'detached' });
  await hasFocus(revoking);
  await page.keyboard.press('Enter');
  await answer(page, 'Revoke this secret?', 'Revoke');
  await revoking.waitFor({ state: 'detached' });
  await hasFocus(sectionHeading(page, 'Secrets'));
  expect(await provisions()).toBe(401);
}, 120_000);

test('a manager lets viewers export, and takes it back', async () => {
  const manager = await viewer(portal, 'maud@example.com', { Sales: 'manager' });
  const path = `/workspaces/${await idOf(portal, 'workspaces', 'Sales')}?tab=settings`;
  const page = await openAs(portal, manager, path);
  const toggle = page.getByRole('switch', { name: 'Viewers can export reports' });
  for (const isAllowed of [true, false]) {
    await press(toggle, 'Space');
    await page.getByText('Changes saved').waitFor();
    const changed = toggle.and(page.getByRole('switch', { checked: isAllowed }));
    await hasFocus(changed);
    await page.reload();
    await changed.waitFor();
  }
}, 120_000);
