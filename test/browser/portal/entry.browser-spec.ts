import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { expectLayout } from './looks.js';
import { member } from './people.js';
import { Portal, type Width } from './portal.js';

let portal: Portal;

beforeAll(async () => {
  portal = await Portal.open();
}, 120_000);
afterAll(async () => {
  await portal.close();
  expect(portal.pageErrors).toEqual([]);
});

async function open(path: string, width?: Width): Promise<Page> {
  const page = await portal.tab(await portal.newContext(width));
  await page.goto(`${portal.url}${path}`);
  return page;
}

async function submit(page: Page, email: string, password: string): Promise<void> {
  await page.getByRole('textbox', { name: 'E-mail' }).fill(email);
  await page.getByLabel(/^Password/).fill(password);
  await page.getByLabel(/^Password/).press('Enter');
}

const pathOf = (page: Page): string => page.url().replace(portal.url, '');
const alert = (page: Page) => page.getByRole('alert');
const arrived = (page: Page) => page.getByRole('button', { name: 'Your account' }).waitFor();

describe('sign-in by password', () => {
  test.each<Width>(['phone', 'desktop'])('opens the workspaces (%s)', async (width) => {
    const page = await open('/', width);
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await expectLayout(page, `sign-in-${width}`);
    await submit(page, portal.admin.email, portal.admin.password);
    await page.getByRole('heading', { name: 'Workspaces' }).waitFor();
    expect(pathOf(page)).toBe('/workspaces');
  });

  test('returns to the requested page, but never to another host', async () => {
    const page = await open('/reports?q=sales#here');
    await submit(page, portal.admin.email, portal.admin.password);
    await page.getByRole('heading', { name: 'Reports' }).waitFor();
    expect(pathOf(page)).toBe('/reports?q=sales#here');
    const other = await open('//evil.test/x');
    await other.getByText('There is no such page').waitFor();
    expect(other.url()).toContain(portal.url);
  });

  test('redirects a signed-in user away from /sign-in', async () => {
    const page = await portal.as(portal.admin);
    await page.goto(`${portal.url}/sign-in`);
    await page.getByRole('heading', { name: 'Workspaces' }).waitFor();
  });

  test('shows what is wrong, and when to try again', async () => {
    const { email } = await member(portal, 'guess@example.com');
    const page = await open('/sign-in');
    for (let guess = 0; guess < 5; guess += 1) {
      await submit(page, email, `guess ${guess} of my password`);
      await alert(page).getByText('The e-mail or the password is wrong').waitFor();
    }
    await submit(page, email, 'one guess too many');
    await alert(page).getByText('Try again in 15 minutes.').waitFor();
    await expectLayout(page, 'sign-in-limited');
  });

  test('counts down the wait', async () => {
    const page = await open('/sign-in');
    await page.route('**/login/session', (route) =>
      route.fulfill({
        status: 429,
        headers: { 'Retry-After': '3' },
        contentType: 'application/problem+json',
        body: JSON.stringify({ code: 'rate_limited', status: 429, title: '', detail: '', request_id: 'r' }),
      }),
    );
    await submit(page, 'ada@example.com', 'something');
    for (const text of ['in 3 seconds', 'in 2 seconds', 'in 1 second', 'again now']) {
      await page.getByRole('timer').getByText(text).waitFor();
    }
  });

  test('shows what is wrong with the e-mail address', async () => {
    const page = await open('/sign-in');
    await submit(page, 'a..b@example.com', 'something');
    await page.getByText('email must be a single email address').waitFor();
  });

  test('shows a network failure, and keeps the form', async () => {
    const page = await open('/sign-in');
    await page.getByRole('textbox', { name: 'E-mail' }).waitFor();
    await page.context().setOffline(true);
    await submit(page, portal.admin.email, portal.admin.password);
    await alert(page).getByText('Vitrine cannot be reached').waitFor();
    await page.context().setOffline(false);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await arrived(page);
  });

  test('has no form when it is disabled', async () => {
    const page = await portal.tab(await portal.newContext());
    await page.route(`${portal.url}/*`, async (route) => {
      if (route.request().resourceType() !== 'document') return route.fallback();
      const response = await route.fetch();
      const body = (await response.text()).replace('"passwordSignIn":true', '"passwordSignIn":false');
      return route.fulfill({ response, body });
    });
    await page.goto(`${portal.url}/sign-in`);
    await page.getByRole('button', { name: 'Sign in with your organisation' }).waitFor();
    expect(await page.getByLabel('E-mail').count()).toBe(0);
    await page.goto(`${portal.url}/password-reset`);
    await page.getByText('Nobody signs in by password here').waitFor();
    await page.goto(`${portal.url}/invitation#token=x`);
    await page.getByRole('button', { name: 'Accept with your organisation' }).waitFor();
    expect(await page.getByLabel(/^Password/).count()).toBe(0);
  });
});

describe("sign-in with the organization's provider", () => {
  async function leave(path: string): Promise<Page> {
    const page = await open(path);
    await page.getByRole('button', { name: 'Sign in with your organisation' }).click();
    await page.waitForSelector('#ada');
    return page;
  }

  test('returns to the requested page', async () => {
    const page = await leave('/reports?q=a');
    await page.click('#ada');
    await arrived(page);
    expect(pathOf(page)).toBe('/reports?q=a');
    await page.getByRole('button', { name: 'Your account' }).click();
    await page.getByText('ada@vitrine.example').waitFor();
    await page.reload();
    await arrived(page);
    // Neither the code nor the page in between is in the history.
    await page.goBack();
    expect(new URL(page.url()).searchParams.has('code')).toBe(false);
  });

  test.each<[string, string, string]>([
    ['a user of an unlisted domain', 'dora', 'This identity has no access'],
    ['a canceled sign-in', 'cancel', 'The sign-in was canceled'],
  ])('%s: the portal shows the reason', async (_who, id, why) => {
    const page = await leave('/reports');
    await page.click(`#${id}`);
    await alert(page).getByText(why).waitFor();
    expect(pathOf(page)).toBe('/signed-in');
    await expectLayout(page, `signed-in-${id}`);
    await page.getByRole('link', { name: 'Back to signing in' }).click();
    await submit(page, portal.admin.email, portal.admin.password);
    await page.getByRole('heading', { name: 'Reports' }).waitFor();
  });

  test('an authorization code that this tab did not request is rejected', async () => {
    const page = await open('/signed-in?code=abc&state=def');
    await alert(page).getByText('This sign-in could not be finished').waitFor();
    expect(pathOf(page)).toBe('/signed-in');
    const other = await leave('/');
    await other.goto(`${portal.url}/signed-in?code=abc&state=not-mine`);
    await alert(other).getByText('This sign-in could not be finished').waitFor();
  });

  test('opening the callback URL twice, or reloading it, does not end the session', async () => {
    const page = await leave('/');
    const back = page.waitForRequest((request) => request.url().includes('/signed-in?code='));
    await page.click('#ben');
    const address = (await back).url();
    await arrived(page);
    await page.goto(address);
    await page.getByRole('heading', { name: 'Workspaces' }).waitFor();
    await page.reload();
    await arrived(page);
  });

  test('an unavailable provider is reported in the portal', async () => {
    const page = await open('/sign-in');
    await page.route('**/login?*', (route) => {
      const { searchParams } = new URL(route.request().url());
      const query = new URLSearchParams({ error: 'provider_unavailable', error_description: 'Later.' });
      query.set('state', searchParams.get('state') ?? '');
      return route.fulfill({ status: 302, headers: { Location: `/signed-in?${query.toString()}` } });
    });
    await page.getByRole('button', { name: 'Sign in with your organisation' }).click();
    await alert(page).getByText('The sign-in of your organisation does not answer').waitFor();
  });
});
