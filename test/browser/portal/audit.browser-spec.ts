import { readFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { Page, Request } from 'playwright-core';
import { failsOnce, pick } from './admin.js';
import { expectLayout } from './looks.js';
import { asAdmin, disable, invite, member } from './people.js';
import { chosenIn, Portal, type Width } from './portal.js';
import { createGroup, idOf, viewer } from './viewers.js';

let portal: Portal;

beforeAll(async () => {
  portal = await Portal.open();
  await member(portal, 'mina@example.com');
  await disable(portal, 'mina@example.com');
  await portal.started.post('/api/auth/token', { email: 'mina@example.com', password: 'not the one' });
  await invite(portal, 'open@example.com');
}, 120_000);
afterEach(() => expect(portal.pageErrors).toEqual([]));
afterAll(() => portal.close());

const event = (page: Page, name: RegExp) => page.getByRole('button', { name }).first();
const choose = async (page: Page, label: string, option: string): Promise<void> => {
  await page.getByRole('combobox', { name: label }).click();
  await page.getByRole('option', { name: option, exact: true }).click();
};

test.each<Width>(['phone', 'desktop'])('events are listed and open to their details (%s)', async (width) => {
  const page = await portal.as(portal.admin, '/audit', width);
  await event(page, /^Sign-in failed Failed|^Sign-in failed Denied/).waitFor();
  await expectLayout(page, `audit-${width}`);
  // An invitation names its addressee, also of an account that was created since.
  await event(page, /^Invitation sent .*Invitation: mina@example\.com/).waitFor();
  await event(page, /^Invitation sent .*Invitation: open@example\.com/).press('Enter');
  const facts = page.getByRole('table').first();
  await facts.getByText('127.0.0.1').waitFor();
  await facts.getByText(portal.admin.email).waitFor();
  await expectLayout(page, `audit-event-${width}`);
  await facts.getByRole('link', { name: 'View all events of this request' }).click();
  await page.getByText(/^Request [0-9a-f]{8}/).waitFor();
  await page.getByRole('button', { name: 'Remove request filter' }).click();
  await event(page, /^Signed in/).waitFor();
});

test.each<Width>(['phone', 'desktop'])('an event names its subject and its object (%s)', async (width) => {
  const sales = await idOf(portal, 'workspaces', 'Sales');
  const ada = await viewer(portal, `ada-${width}@example.com`);
  const group = await createGroup(portal, `Readers ${width}`, [ada.email]);
  await asAdmin(portal, 'PUT', `/api/workspaces/${sales}/grants/groups/${group}`, { role: 'viewer' });
  const page = await portal.as(portal.admin, '/audit', width);
  const granted = event(page, new RegExp(`^Access granted .*Group: Readers ${width} · Workspace: Sales`));
  await granted.waitFor();
  await event(
    page,
    new RegExp(`^Group member added .*Group: Readers ${width} · User: ada-${width}`),
  ).waitFor();
  await expectLayout(page, `audit-objects-${width}`);
  // The absolute time with its zone.
  await granted.locator('time').hover();
  await page
    .getByRole('tooltip')
    .filter({ hasText: /20\d\d, \d+:\d\d.*(UTC|GMT)/ })
    .waitFor();
});

test('an event of a service account leads to its page', async () => {
  await asAdmin(portal, 'POST', '/api/service-accounts', { name: 'Audited loader' });
  const page = await portal.as(portal.admin, '/audit');
  await event(page, /Service account: Audited loader/).press('Enter');
  await page.getByRole('link', { name: 'Service account: Audited loader' }).first().click();
  await page.getByRole('heading', { name: 'Audited loader', level: 1 }).waitFor();
});

describe('filters', () => {
  test('apply to the list, are in the URL, and can be cleared', async () => {
    const page = await portal.as(portal.admin, '/audit');
    await choose(page, 'Action', 'User disabled');
    await event(page, /^User disabled.*Administrator.*User/).waitFor();
    await event(page, /^Signed in/).waitFor({ state: 'detached' });
    await choose(page, 'Time range', 'Last hour');
    await choose(page, 'Target type', 'User');
    await page.getByRole('combobox', { name: 'Target', exact: true }).fill('mina');
    await page.getByRole('option').first().filter({ hasText: 'Mina Member' }).click();
    await event(page, /^User disabled/).waitFor();
    await expectLayout(page, 'audit-filtered');
    await page.reload();
    await event(page, /^User disabled/).waitFor();
    expect(await chosenIn(page.getByRole('combobox', { name: 'Target', exact: true }))).toBe('Mina Member');
    await choose(page, 'Result', 'Failed');
    await page.getByText('No events match your filters').waitFor();
    await page.getByRole('button', { name: 'Clear all filters' }).click();
    await event(page, /^Signed in/).waitFor();
    expect(new URL(page.url()).search).toBe('');
  });

  test('a custom period can be set', async () => {
    const page = await portal.as(portal.admin, '/audit');
    await choose(page, 'Time range', 'Custom range');
    const from = page.getByLabel('From');
    await from.fill('2019-01-01T00:00');
    await page.waitForURL(/from=2019/);
    // An incomplete time is none, but its field stays.
    await from.fill('');
    await page.waitForURL((url) => !url.searchParams.has('from'));
    await from.and(page.locator(':focus')).waitFor();
    await from.fill('2020-01-01T00:00');
    await page.getByLabel('To', { exact: true }).fill('2020-01-02T00:00');
    await page.getByText('No events match your filters').waitFor();
    await expectLayout(page, 'audit-between');
    await page.getByRole('button', { name: 'Clear all filters' }).click();
    await event(page, /^Signed in/).waitFor();
    await page.getByLabel('From').waitFor({ state: 'detached' });
  });

  test('a link or Back replaces a custom period, another filter keeps half a time', async () => {
    const page = await portal.as(portal.admin, '/audit');
    await choose(page, 'Time range', 'Custom range');
    const from = page.getByLabel('From');
    const to = page.getByLabel('To', { exact: true });
    await from.fill('2020-01-01T00:00');
    await to.press('1');
    await choose(page, 'Action', 'Invitation sent');
    await page.waitForURL(/from=2020.*action=invitation_created/);
    await to.and(page.locator(':invalid')).waitFor();
    await event(page, /^Invitation sent/).press('Enter');
    await page.getByRole('link', { name: 'View all activity' }).click();
    await from.waitFor({ state: 'detached' });
    expect(new URL(page.url()).searchParams.has('from')).toBe(false);
    await page.goBack();
    await from.waitFor();
    expect(await from.inputValue()).toBe('2020-01-01T00:00');
    await page.getByRole('link', { name: 'Audit', exact: true }).click();
    await from.waitFor({ state: 'detached' });
  });

  test('a link replaces the ID of a target', async () => {
    const page = await portal.as(portal.admin, '/audit?target_type=invitation');
    await event(page, /^Invitation sent/).press('Enter');
    await page.getByRole('link', { name: 'View all events for this target' }).click();
    const id = await chosenIn(page.getByRole('textbox', { name: 'Target', exact: true }));
    expect(new URL(page.url()).searchParams.get('target_id')).toBe(id);
  });

  test('the ID of a target is applied before a link is followed', async () => {
    const page = await portal.as(portal.admin, '/audit?target_type=invitation');
    const id = '00000000-0000-4000-8000-000000000000';
    const released = Promise.withResolvers<void>();
    await page.route('**/assets/help-*.js', (route) => released.promise.then(() => route.continue()));
    await page.getByRole('textbox', { name: 'Target', exact: true }).fill(id);
    await page.getByRole('link', { name: 'Help', exact: true }).click();
    await page.waitForURL((url) => url.searchParams.get('target_id') === id);
    released.resolve();
    await page.getByRole('heading', { name: 'Help', level: 1 }).waitFor();
    await page.goBack();
    await page.waitForURL((url) => url.searchParams.get('target_id') === id);
    await page.unrouteAll({ behavior: 'wait' });
  });

  test('a link selects the events of a setting', async () => {
    await asAdmin(portal, 'PUT', '/api/settings/branding', { product_name: 'Audited' });
    const page = await portal.as(portal.admin, '/audit?action=branding_changed');
    await event(page, /^Branding changed/).press('Enter');
    await page.getByRole('link', { name: 'View all events for this target' }).click();
    await page.waitForURL((url) => !url.searchParams.has('action'));
    await event(page, /^Branding changed/).waitFor();
    expect(await chosenIn(page.getByRole('textbox', { name: 'Target', exact: true }))).toBe('branding');
  });

  test('an address is applied by Enter, or selected from an event', async () => {
    const page = await portal.as(portal.admin, '/audit');
    const field = page.getByRole('textbox', { name: 'IP address' });
    await field.fill('203.0.113');
    await field.press('Enter');
    await page.getByText('Enter a complete IPv4 or IPv6 address.').first().waitFor();
    await field.fill('203.0.113.7');
    await field.press('Enter');
    await page.getByText('No events match your filters').waitFor();
    await page.getByRole('button', { name: 'Clear all filters' }).click();
    await event(page, /^Signed in/).press('Enter');
    expect(await field.inputValue()).toBe('');
    await page.getByRole('link', { name: 'View all events from this address' }).click();
    await page.waitForURL(/\?ip=127\.0\.0\.1$/);
    expect(await chosenIn(field)).toBe('127.0.0.1');
    await event(page, /^Signed in/).waitFor();
  });

  test('the actor can be selected', async () => {
    const page = await portal.as(portal.admin, '/audit');
    await pick(page, 'Actor', 'Mina Member', page);
    await event(page, /^Invitation accepted.*Mina Member/).waitFor();
    await event(page, /^Invitation sent/).waitFor({ state: 'detached' });
  });
});

test('groups are named, linked and can be selected', async () => {
  const read = async <T>(method: string, path: string, body?: object): Promise<T> =>
    (await (await asAdmin(portal, method, path, body)).json()) as T;
  const group = await read<{ id: string }>('POST', '/api/groups', { name: 'Reviewers' });
  const { users } = await read<{ users: { id: string }[] }>('GET', '/api/users?q=mina');
  const members = { users: users.map(({ id }) => id) };
  await asAdmin(portal, 'POST', `/api/groups/${group.id}/members`, members);
  const page = await portal.as(portal.admin, '/audit?target_type=group');
  await event(page, /^Group member added.*Group: Reviewers/).press('Enter');
  const facts = page.getByRole('table').first();
  const link = facts.getByRole('link', { name: 'Group: Reviewers' });
  expect(await link.getAttribute('href')).toBe(`/groups/${group.id}`);
  await facts.getByRole('row', { name: 'User Mina Member' }).waitFor();
  await page.getByRole('combobox', { name: 'Target', exact: true }).fill('review');
  await page.getByRole('option', { name: 'Reviewers' }).click();
  await event(page, /^Group created/).waitFor();
});

describe('the export', () => {
  async function exported(page: Page, format: RegExp): Promise<string> {
    await page.getByRole('button', { name: 'Export', exact: true }).press('Enter');
    const coming = page.waitForEvent('download');
    await page.getByRole('menuitem', { name: format }).press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Export the whole audit log?' });
    if (!page.url().includes('action')) {
      await expectLayout(page, 'audit-export');
      await dialog.getByRole('button', { name: 'Export everything' }).click();
    }
    const download = await coming;
    await page.getByText('Export complete').waitFor();
    return readFileSync(await download.path(), 'utf8');
  }

  /** Without the dialog of the system for where to keep a file, which no test can answer. */
  async function open(path: string): Promise<Page> {
    const page = await portal.tab(await portal.newContext());
    await page.addInitScript('delete window.showSaveFilePicker');
    return portal.signIn(page, portal.admin, path);
  }

  test('contains all events that match the filters', async () => {
    const page = await open('/audit?action=user_disabled');
    const csv = await exported(page, /^CSV/);
    expect(csv.split('\n')[0]).toContain('action');
    expect(csv).toContain('user_disabled');
    expect(csv).not.toContain('signed_in');
  });

  test('asks for confirmation when there is no filter', async () => {
    const lines = (await exported(await open('/audit'), /^NDJSON/)).trim().split('\n');
    const actions = lines.map((line) => (JSON.parse(line) as { action: string }).action);
    expect(actions).toEqual(expect.arrayContaining(['signed_in', 'user_disabled', 'invitation_created']));
  });

  test('and the list begin an hour ago, however long the page is open', async () => {
    const page = await open('/health');
    await page.clock.install();
    const from = (request: Request) => Date.parse(new URL(request.url()).searchParams.get('from') ?? '');
    const isList = (request: Request) => /\/api\/audit-events\?.*limit=50/.test(request.url());
    const loaded = page.waitForRequest(isList);
    await page.goto(`${portal.url}/audit?within=hour&action=user_disabled`);
    const begin = from(await loaded);
    const isLater = (minutes: number) => (request: Request) => from(request) - begin >= minutes * 60_000;
    await event(page, /^User disabled/).waitFor();

    await page.clock.fastForward('02:00:00');
    const again = page.waitForRequest((request) => isList(request) && isLater(120)(request));
    await page.evaluate("void document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))");
    await again;

    await page.clock.fastForward('10:00');
    const filtered = page.waitForRequest((request) => isList(request) && isLater(130)(request));
    await choose(page, 'Result', 'Allowed');
    await filtered;

    await page.clock.fastForward('10:00');
    const file = page.waitForRequest((request) => request.headers().accept === 'text/csv');
    await exported(page, /^CSV/);
    expect(isLater(140)(await file)).toBe(true);
  });

  test('reports a download that fails', async () => {
    const page = await open('/audit?action=user_disabled');
    await page.route('**/api/audit-events?*', (route) =>
      route.request().headers().accept === 'text/csv' ? route.abort() : route.continue(),
    );
    await page.getByRole('button', { name: 'Export', exact: true }).click();
    await page.getByRole('menuitem', { name: /^CSV/ }).click();
    await page.getByRole('alert').waitFor();
    await expectLayout(page, 'audit-export-broken');
  });
});

test('a list that cannot be loaded shows the reason and offers a retry', async () => {
  const page = await portal.as(portal.admin, '/health');
  await failsOnce(page, '**/api/audit-events?*', () =>
    page.getByRole('link', { name: 'Audit', exact: true }).click(),
  );
  await event(page, /^Signed in/).waitFor();
});
