import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { isShown } from './embedded.js';
import { expectLayout } from './looks.js';
import { asAdmin, disable } from './people.js';
import { Portal } from './portal.js';
import { idOf, viewer } from './viewers.js';

let portal: Portal;
let revenue: string;
let vic: { email: string; password: string };

beforeAll(async () => {
  portal = await Portal.open();
  revenue = await idOf(portal, 'reports', 'Revenue overview');
  vic = await viewer(portal, 'vic@example.com', { Sales: 'viewer' });
}, 120_000);
afterEach(() => expect(portal.pageErrors).toEqual([]));
afterAll(() => portal.close());

describe('credentials of the service that Entra rejects', () => {
  const problem = {
    status: 409,
    code: 'power_bi_access_denied',
    title: 'Power BI denied access to the service',
    detail: 'Entra rejected the credentials of the service.',
    request_id: 'r-1',
  };

  test('are named to admins, and others are not told another cause', async () => {
    for (const [person, text] of [
      [portal.admin, problem.detail],
      [vic, 'Contact an administrator.'],
    ] as const) {
      const page = await portal.as(person, '/health');
      await page.route('**/embed-token', (route) => route.fulfill({ status: 409, json: problem }));
      await page.goto(`${portal.url}/reports/${revenue}`);
      await page.getByRole('alert').getByText(text, { exact: true }).waitFor();
      expect(await page.getByText('give the service principal access').count()).toBe(0);
      await page.unrouteAll({ behavior: 'wait' });
    }
  });
});

describe('a reader whose access is revoked', () => {
  test('loses the open report with Refresh', async () => {
    const rosa = await viewer(portal, 'rosa@example.com', { Sales: 'viewer' });
    const page = await portal.as(rosa, `/reports/${revenue}`);
    await isShown(page, 'Revenue overview');
    const sales = await idOf(portal, 'workspaces', 'Sales');
    const { users } = (await (await asAdmin(portal, 'GET', '/api/users?q=rosa')).json()) as {
      users: { id: string }[];
    };
    const path = `/api/workspaces/${sales}/members/${users[0]?.id}`;
    expect((await asAdmin(portal, 'DELETE', path)).status).toBe(204);
    await page.getByRole('button', { name: 'Refresh' }).press('Enter');
    await page.getByRole('alert').getByText("Report not found, or you don't have access").waitFor();
    expect(await page.locator('iframe').count()).toBe(0);
  });
});

describe('a disabled user', () => {
  test('reads at the sign-in that the account may be disabled, and whom to contact', async () => {
    const dora = await viewer(portal, 'dora@example.com');
    await disable(portal, dora.email);
    const page = await portal.tab(await portal.newContext('phone'));
    await page.goto(`${portal.url}/sign-in`);
    await page.getByLabel('Email').fill(dora.email);
    await page.getByLabel(/^Password/).fill(dora.password);
    await page.keyboard.press('Enter');
    await page
      .getByRole('alert')
      .getByText(/your account may be disabled: contact an administrator/)
      .waitFor();
    await expectLayout(page, 'sign-in-disabled-phone');
  });
});

describe('a page for managers or admins', () => {
  const headings = (page: Page) => page.getByRole('heading', { level: 1 }).allInnerTexts();

  test.each([
    '/invitations',
    '/invitations/bulk',
    '/access-review',
    '/analytics',
    '/analytics/reports',
    '/analytics/unused',
    '/analytics/adoption',
    '/embedding',
    '/users',
    '/audit',
  ])('%s draws nothing and requests nothing before it refuses a viewer', async (path) => {
    const page = await portal.as(vic, '/health');
    const requested: string[] = [];
    const drawn: string[] = [];
    page.on('request', (request) => requested.push(new URL(request.url()).pathname));
    // It is not known who looks until this response.
    await page.route('**/api/users/me', async (route) => {
      await page.getByRole('navigation').first().waitFor();
      drawn.push(...(await headings(page)));
      await route.continue();
    });
    await page.goto(`${portal.url}${path}`);
    await page.getByRole('heading', { name: 'Access denied', level: 1 }).waitFor();
    expect(drawn).toEqual([]);
    const ofPage = /api\/(invitations|access|usage|workspaces|reports|users$|audit)/;
    expect(requested.filter((each) => ofPage.test(each))).toEqual([]);
    await page.unrouteAll({ behavior: 'wait' });
  });

  test('the access page of a report refuses a viewer', async () => {
    const page = await portal.as(vic, `/reports/${revenue}/access`);
    await page.getByRole('heading', { name: 'Access denied', level: 1 }).waitFor();
    expect(await page.getByRole('tab').count()).toBe(0);
  });
});
