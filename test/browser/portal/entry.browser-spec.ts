import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { expectLayout } from './looks.js';
import { invite, member } from './people.js';
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
  await page.getByRole('textbox', { name: 'Email' }).fill(email);
  await page.getByLabel(/^Password/).fill(password);
  await page.getByLabel(/^Password/).press('Enter');
}

const pathOf = (page: Page): string => page.url().replace(portal.url, '');
const alert = (page: Page) => page.getByRole('alert');
const arrived = (page: Page) => page.getByRole('button', { name: 'Your account' }).waitFor();

test('a first visit leaves the console empty', async () => {
  const page = await portal.tab(await portal.newContext());
  const messages: string[] = [];
  page.on('console', (message) => messages.push(message.text()));
  await page.goto(`${portal.url}/`);
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  expect(messages).toEqual([]);
});

describe('sign-in by password', () => {
  test.each<Width>(['phone', 'desktop'])('opens Home (%s)', async (width) => {
    const page = await open('/', width);
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await expectLayout(page, `sign-in-${width}`);
    await submit(page, portal.admin.email, portal.admin.password);
    await page.getByRole('heading', { name: /^Good /, level: 1 }).waitFor();
    expect(pathOf(page)).toBe('/');
  });

  test('returns to the requested page, but never to another host', async () => {
    const page = await open('/reports?q=sales#here');
    await submit(page, portal.admin.email, portal.admin.password);
    await page.getByRole('heading', { name: 'Reports', level: 1 }).waitFor();
    expect(pathOf(page)).toBe('/reports?q=sales#here');
    const other = await open('//evil.test/x');
    await other.getByText('Page not found').waitFor();
    expect(other.url()).toContain(portal.url);
  });

  test('redirects a signed-in user away from /sign-in', async () => {
    const page = await portal.as(portal.admin);
    await page.goto(`${portal.url}/sign-in`);
    await page.getByRole('heading', { name: /^Good /, level: 1 }).waitFor();
  });

  test('shows what is wrong, and when to try again', async () => {
    const { email } = await member(portal, 'guess@example.com');
    const page = await open('/sign-in');
    for (let guess = 0; guess < 5; guess += 1) {
      // The alert of the previous guess is shown until the next one is sent.
      const response = page.waitForResponse(/login\/session/);
      await submit(page, email, `guess ${guess} of my password`);
      await response;
      await alert(page).getByText('Incorrect email or password').waitFor();
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

  test('shows what is wrong with the email address', async () => {
    const page = await open('/sign-in');
    await submit(page, 'a..b@example.com', 'something');
    await page.getByText('Enter a single email address.').waitFor();
  });

  test('shows a network failure, and keeps the form', async () => {
    const page = await open('/sign-in');
    await page.getByRole('textbox', { name: 'Email' }).waitFor();
    await page.context().setOffline(true);
    await submit(page, portal.admin.email, portal.admin.password);
    await alert(page).getByText("Can't reach the server").waitFor();
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
    await page.getByRole('button', { name: 'Sign in with your organization' }).waitFor();
    expect(await page.getByLabel('Email').count()).toBe(0);
    await page.goto(`${portal.url}/password-reset`);
    await page.getByText('Password sign-in is disabled').waitFor();
    await page.goto((await invite(portal, 'provider@example.com')).link);
    await page.getByRole('button', { name: 'Accept with your organization' }).waitFor();
    expect(await page.getByLabel(/^Password/).count()).toBe(0);
  });
});

describe("sign-in with the organization's provider", () => {
  async function leave(path: string): Promise<Page> {
    const page = await open(path);
    await page.getByRole('button', { name: 'Sign in with your organization' }).click();
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
    ['a user of an unlisted domain', 'dora', "Your account isn't set up for this portal"],
    ['a cancelled sign-in', 'cancel', 'The sign-in was cancelled'],
  ])('%s: the portal shows the reason', async (_who, id, why) => {
    const page = await leave('/reports');
    await page.click(`#${id}`);
    await alert(page).getByText(why).waitFor();
    expect(pathOf(page)).toBe('/signed-in');
    await expectLayout(page, `signed-in-${id}`);
    await page.getByRole('link', { name: 'Back to sign-in' }).click();
    await submit(page, portal.admin.email, portal.admin.password);
    await page.getByRole('heading', { name: 'Reports', level: 1 }).waitFor();
  });

  test('an authorization code that this tab did not request is rejected', async () => {
    const page = await open('/signed-in?code=abc&state=def');
    await alert(page).getByText("Sign-in couldn't be completed").waitFor();
    expect(pathOf(page)).toBe('/signed-in');
    const other = await leave('/');
    await other.goto(`${portal.url}/signed-in?code=abc&state=not-mine`);
    await alert(other).getByText("Sign-in couldn't be completed").waitFor();
  });

  test('opening the callback URL twice, or reloading it, does not end the session', async () => {
    const page = await leave('/');
    const back = page.waitForRequest((request) => request.url().includes('/signed-in?code='));
    await page.click('#ben');
    const address = (await back).url();
    await arrived(page);
    await page.goto(address);
    await page.getByRole('heading', { name: /^Good /, level: 1 }).waitFor();
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
    await page.getByRole('button', { name: 'Sign in with your organization' }).click();
    await alert(page).getByText("Your organization's sign-in is temporarily unavailable").waitFor();
  });
});
