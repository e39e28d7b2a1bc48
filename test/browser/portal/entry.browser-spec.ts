import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { looksRight } from './looks.js';
import { member } from './people.js';
import { Portal, type Width } from './portal.js';

let portal: Portal;

beforeAll(async () => {
  portal = await Portal.open();
}, 120_000);
afterAll(async () => {
  await portal.close();
  expect(portal.troubles).toEqual([]);
});

async function open(path: string, width?: Width): Promise<Page> {
  const page = await portal.tab(await portal.visitor(width));
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

describe('by password', () => {
  test.each<Width>(['phone', 'desktop'])('leads to the workspaces (%s)', async (width) => {
    const page = await open('/', width);
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await looksRight(page, `sign-in-${width}`);
    await submit(page, portal.admin.email, portal.admin.password);
    await page.getByRole('heading', { name: 'Workspaces' }).waitFor();
    expect(pathOf(page)).toBe('/workspaces');
  });

  test('leads back to where one was going, but to no other host', async () => {
    const page = await open('/reports?q=sales#here');
    await submit(page, portal.admin.email, portal.admin.password);
    await page.getByRole('heading', { name: 'Reports' }).waitFor();
    expect(pathOf(page)).toBe('/reports?q=sales#here');
    const other = await open('//evil.test/x');
    await other.getByText('There is no such page').waitFor();
    expect(other.url()).toContain(portal.url);
  });

  test('whoever is signed in goes on from /sign-in', async () => {
    const page = await portal.as(portal.admin);
    await page.goto(`${portal.url}/sign-in`);
    await page.getByRole('heading', { name: 'Workspaces' }).waitFor();
  });

  test('says what is wrong, and when to try again', async () => {
    const { email } = await member(portal, 'guess@example.com');
    const page = await open('/sign-in');
    for (let guess = 0; guess < 5; guess += 1) {
      await submit(page, email, `guess ${guess} of my password`);
      await alert(page).getByText('The e-mail or the password is wrong').waitFor();
    }
    await submit(page, email, 'one guess too many');
    await alert(page).getByText('Try again in 15 minutes.').waitFor();
    await looksRight(page, 'sign-in-limited');
  });

  test('counts the wait down', async () => {
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

  test('says what is wrong with the address', async () => {
    const page = await open('/sign-in');
    await submit(page, 'a..b@example.com', 'something');
    await page.getByText('email must be a single email address').waitFor();
  });

  test('says that there is no connection, and loses nothing', async () => {
    const page = await open('/sign-in');
    await page.getByRole('textbox', { name: 'E-mail' }).waitFor();
    await page.context().setOffline(true);
    await submit(page, portal.admin.email, portal.admin.password);
    await alert(page).getByText('Vitrine cannot be reached').waitFor();
    await page.context().setOffline(false);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await arrived(page);
  });

  test('where it is switched off there is no form', async () => {
    const page = await portal.tab(await portal.visitor());
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

describe('with the organisation', () => {
  async function leave(path: string): Promise<Page> {
    const page = await open(path);
    await page.getByRole('button', { name: 'Sign in with your organisation' }).click();
    await page.waitForSelector('#ada');
    return page;
  }

  test('leads back to where one was going', async () => {
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
    ['somebody of nobody’s domain', 'dora', 'This identity has no access'],
    ['whoever turns back there', 'cancel', 'The sign-in was canceled'],
  ])('%s reads why, in the portal', async (_who, id, why) => {
    const page = await leave('/reports');
    await page.click(`#${id}`);
    await alert(page).getByText(why).waitFor();
    expect(pathOf(page)).toBe('/signed-in');
    await looksRight(page, `signed-in-${id}`);
    await page.getByRole('link', { name: 'Back to signing in' }).click();
    await submit(page, portal.admin.email, portal.admin.password);
    await page.getByRole('heading', { name: 'Reports' }).waitFor();
  });

  test('a code that this tab did not ask for signs nobody in', async () => {
    const page = await open('/signed-in?code=abc&state=def');
    await alert(page).getByText('This sign-in could not be finished').waitFor();
    expect(pathOf(page)).toBe('/signed-in');
    const other = await leave('/');
    await other.goto(`${portal.url}/signed-in?code=abc&state=not-mine`);
    await alert(other).getByText('This sign-in could not be finished').waitFor();
  });

  test('the way back opened twice, or reloaded, ends nothing', async () => {
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

  test('a provider that does not answer is told of in the portal', async () => {
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
