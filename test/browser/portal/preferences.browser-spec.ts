import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { pathOfUser, section } from './admin.js';
import { inside, isShown } from './embedded.js';
import { expectLayout } from './looks.js';
import { Portal } from './portal.js';
import { idOf, viewer } from './viewers.js';

let portal: Portal;

beforeAll(async () => {
  portal = await Portal.open();
}, 120_000);
afterEach(() => expect(portal.pageErrors).toEqual([]));
afterAll(() => portal.close());

test('language and time zone of the account apply to the portal, also after a reload', async () => {
  const page = await portal.as(await viewer(portal, 'lena@example.com'), '/account');
  await page.getByRole('combobox', { name: 'Language' }).click();
  await page.getByRole('option', { name: 'Deutsch' }).click();
  await page.getByRole('heading', { name: 'Sprache und Zeitzone' }).waitFor();
  await page.getByRole('combobox', { name: 'Zeitzone' }).click();
  await page.getByRole('combobox', { name: 'Zeitzone' }).fill('Lisbon');
  await page.getByRole('option', { name: 'Europe/Lisbon' }).click();
  await page.getByText('Ihre Einstellungen wurden gespeichert.').first().waitFor();
  await expectLayout(page, 'preferences');
  await page.reload();
  await page.getByRole('heading', { name: 'Sprache und Zeitzone' }).waitFor();
  expect(await page.getByRole('combobox', { name: 'Zeitzone' }).inputValue()).toBe('Europe/Lisbon');
  expect(await page.evaluate('document.documentElement.lang')).toBe('de');
});

/** Sets the preferences of the signed-in user over the API, without the page. */
async function prefer(person: { email: string; password: string }, preferences: object): Promise<void> {
  const granted = await portal.started.post('/api/auth/token', person);
  const { access_token } = (await granted.json()) as { access_token: string };
  const response = await fetch(`${portal.url}/api/users/me`, {
    method: 'PATCH',
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${access_token}` },
    body: JSON.stringify(preferences),
  });
  expect(response.status).toBe(200);
}

test('numbers are written as in the language of the account', async () => {
  const gero = await viewer(portal, 'gero@example.com', { Sales: 'viewer' });
  await prefer(gero, { locale: 'de' });
  const page = await portal.tab(await portal.session(gero));
  await page.route('**/api/workspaces?*', async (route) => {
    const response = await route.fetch();
    const { workspaces } = (await response.json()) as { workspaces: object[] };
    const large = workspaces.map((workspace) => ({ ...workspace, report_count: 2400 }));
    await route.fulfill({ response, json: { workspaces: large } });
  });
  await page.goto(`${portal.url}/workspaces`);
  await page.getByRole('cell', { name: '2.400', exact: true }).waitFor();
  await page.goto(portal.url);
  await page.getByText('2.400 Berichte', { exact: true }).waitFor();
  await page.unrouteAll({ behavior: 'wait' });
});

test('data of today is shown with its time, without the day', async () => {
  const page = await portal.as(await viewer(portal, 'tod@example.com', { Sales: 'viewer' }), '/account');
  const now = new Date().toISOString();
  await page.route(/\/api\/reports\/[^/]+$/, async (route) => {
    const response = await route.fetch();
    const freshness = { data_as_of: now, refresh_status: 'succeeded' };
    await route.fulfill({ response, json: { ...((await response.json()) as object), ...freshness } });
  });
  await page.goto(`${portal.url}/reports/${await idOf(portal, 'reports', 'Revenue overview')}`);
  const format = `new Intl.DateTimeFormat('en-US', { timeStyle: 'short' })`;
  const time = await page.evaluate<string>(`${format}.format(new Date('${now}'))`);
  await page.getByText(`Data as of ${time}`, { exact: true }).first().waitFor();
  await page.unrouteAll({ behavior: 'wait' });
});

/** 21:30 UTC is 10:30 of the next day in Auckland in March. */
async function fixFreshness(page: Page): Promise<void> {
  await page.route(/\/api\/reports\/[^/]+$/, async (route) => {
    const response = await route.fetch();
    const body: unknown = await response.json();
    const freshness = { data_as_of: '2026-03-05T21:30:00Z', refresh_status: 'succeeded' };
    await route.fulfill({ response, json: { ...(body as object), ...freshness } });
  });
}

test('a time that is rendered before the account is loaded is shown in the time zone of the account', async () => {
  const zoe = await viewer(portal, 'zoe@example.com', { Sales: 'viewer' });
  await prefer(zoe, { time_zone: 'Pacific/Auckland' });
  const page = await portal.tab(await portal.session(zoe));
  await fixFreshness(page);
  let release: () => void = () => undefined;
  const isReleased = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route('**/api/users/me', async (route) => {
    await isReleased;
    await route.continue();
  });
  await page.goto(`${portal.url}/reports/${await idOf(portal, 'reports', 'Revenue overview')}`);
  await page.locator('.freshness[title*="Mar 5, 2026"]').waitFor();
  // Nothing else draws the page again afterwards.
  await isShown(page, 'Revenue overview');
  release();
  await page.locator('.freshness[title*="Mar 6, 2026, 10:30"]').waitFor();
  await page.reload();
  await page.locator('.freshness[title*="Mar 6, 2026, 10:30"]').waitFor();
  await page.unrouteAll({ behavior: 'wait' });
});

/** Records the configuration that the page posts into the frame of a report. */
const recordLoads = `window.addEventListener('message', ({ data }) => {
  if (data?.url === '/report/load') window.loadedSettings = data.body.settings;
});`;

test('the embedded report receives the language and the format of the account', async () => {
  const gil = await viewer(portal, 'gil@example.com', { Sales: 'viewer' });
  const page = await portal.as(gil, '/health');
  await page.addInitScript(recordLoads);
  await prefer(gil, { locale: 'de' });
  await page.goto(`${portal.url}/reports/${await idOf(portal, 'reports', 'Revenue overview')}`);
  await page.getByRole('button', { name: 'Ihr Konto' }).waitFor();
  await inside(page).getByRole('heading', { name: 'Revenue overview', level: 1 }).waitFor();
  const settings = await inside(page).locator('body').evaluate('window.loadedSettings');
  expect(settings).toMatchObject({ localeSettings: { language: 'de', formatLocale: 'de' } });
});

test('a choice in another tab does not end what is under way in this one', async () => {
  await viewer(portal, 'uma@example.com');
  const page = await portal.as(portal.admin, await pathOfUser(portal, 'uma@example.com'));
  await page.getByRole('button', { name: 'Add attribute' }).click();
  await page.getByLabel('Name of attribute 1').fill('kept');
  await prefer(portal.admin, { name: 'Renamed Admin', locale: 'de', time_zone: 'Pacific/Auckland' });
  // The own account is requested again after each change of a user.
  await section(page, 'Name and role').getByRole('textbox', { name: 'Name' }).fill('Uma User');
  await section(page, 'Name and role').getByRole('button', { name: 'Save' }).click();
  await page.getByText('Changes saved.').waitFor();
  await page.getByRole('button', { name: 'Your account' }).click();
  await page.getByText('Renamed Admin').waitFor();
  expect(await page.getByLabel('Name of attribute 1').inputValue()).toBe('kept');
  await page.reload();
  await page.getByRole('button', { name: 'Ihr Konto' }).waitFor();
});

describe('German texts that cannot be loaded', () => {
  const texts = '**/assets/de-*.js';

  test('leave the portal in English', async () => {
    const page = await portal.tab(await portal.newContext());
    await page.addInitScript("localStorage.setItem('vitrine.language', 'de')");
    await page.route(texts, (route) => route.abort());
    await page.goto(portal.url);
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(await page.evaluate('document.documentElement.lang')).toBe('en');
  });

  test('are reported when German is chosen, and loaded by a reload', async () => {
    const page = await portal.as(await viewer(portal, 'lola@example.com'), '/account');
    await page.route(texts, (route) => route.abort());
    await page.getByRole('combobox', { name: 'Language' }).click();
    await page.getByRole('option', { name: 'Deutsch' }).click();
    await page.getByText('The texts of your language could not be loaded. Reload the page.').waitFor();
    await page.getByRole('heading', { name: 'Language and time zone' }).waitFor();
    await page.unroute(texts);
    await page.reload();
    await page.getByRole('heading', { name: 'Sprache und Zeitzone' }).waitFor();
  });
});
