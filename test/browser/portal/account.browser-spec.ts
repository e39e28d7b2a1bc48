import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Locator, Page } from 'playwright-core';
import { expectLayout } from './looks.js';
import { chosen, member } from './people.js';
import { Portal, type Width } from './portal.js';

let portal: Portal;

beforeAll(async () => {
  portal = await Portal.open();
}, 120_000);
afterAll(async () => {
  await portal.close();
  expect(portal.pageErrors).toEqual([]);
});

const section = (page: Page, name: string): Locator => page.getByRole('region', { name, exact: true });
const signedInAt = (page: Page): Locator => section(page, 'Where you are signed in');

describe('the account page', () => {
  test.each<Width>(['phone', 'desktop'])("shows the user's identity and workspaces (%s)", async (width) => {
    const person = await member(portal, `who-${width}@example.com`);
    const page = await portal.as(person, '/account', width);
    await section(page, 'You').getByText('Mina Member').waitFor();
    await section(page, 'Your workspaces').getByRole('link', { name: 'Sales' }).waitFor();
    await section(page, 'Your workspaces').getByText('Viewer', { exact: true }).waitFor();
    await signedInAt(page).getByText('this one').waitFor();
    await expectLayout(page, `account-${width}`);
    await section(page, 'Your workspaces').getByRole('link', { name: 'Sales' }).click();
    await page.waitForURL('**/workspaces/*');
  });

  test('shows an administrator that no grant is needed', async () => {
    const page = await portal.as(portal.admin, '/account');
    await page.getByText('As an administrator you see and manage every workspace').waitFor();
  });

  test('shows a failed request and retries it on click', async () => {
    const person = await member(portal, 'broken@example.com');
    const page = await portal.as(person, '/workspaces');
    await page.route('**/api/auth/sessions', (route) => route.fulfill({ status: 500, body: 'oops' }));
    await page.getByRole('button', { name: 'Your account' }).click();
    await page.getByRole('menuitem', { name: 'Account' }).click();
    await page.getByText('Something between you and Vitrine answered').waitFor();
    await page.unroute('**/api/auth/sessions');
    await page.getByRole('button', { name: 'Try again' }).click();
    await signedInAt(page).getByText('this one').waitFor();
  });

  test('keeps the chosen colour scheme', async () => {
    const page = await portal.as(portal.admin, '/account');
    const scheme = () => page.locator('html').getAttribute('data-mantine-color-scheme');
    expect(await scheme()).toBe('light');
    await section(page, 'Colours').getByText('Dark').click();
    expect(await scheme()).toBe('dark');
    await page.reload();
    await section(page, 'Colours').waitFor();
    expect(await scheme()).toBe('dark');
    await page.getByRole('button', { name: 'Your account' }).click();
    await page.getByRole('menuitem', { name: 'Light colours' }).click();
    expect(await scheme()).toBe('light');
  });
});

describe('the password form', () => {
  async function change(page: Page, current: string, next: string): Promise<void> {
    await page.getByLabel(/^Current password/).fill(current);
    await page.getByLabel(/^New password/).fill(next);
    await page.getByLabel(/^New password/).press('Enter');
  }

  test('changes the password, which ends the other sessions but not the current one', async () => {
    const person = await member(portal, 'change@example.com');
    const other = await portal.as(person, '/workspaces');
    const page = await portal.as(person, '/account');
    await signedInAt(page).getByRole('button', { name: 'End all others' }).waitFor();
    await change(page, 'not my password', 'a wholly different phrase');
    await page.getByText('This is not your current password.').waitFor();
    await change(page, chosen, 'passwordpassword');
    await page.getByText('This password is too common').waitFor();
    await expectLayout(page, 'account-password');
    await change(page, chosen, 'a wholly different phrase');
    await page.getByText('Your password was changed.').waitFor();
    expect(await page.getByLabel(/^New password/).inputValue()).toBe('');
    await signedInAt(page).getByText('Nowhere but here.').waitFor();
    await other.getByRole('button', { name: 'Your account' }).click();
    await other.getByRole('menuitem', { name: 'Account' }).click();
    await other.getByText('Your session has ended').waitFor();
  });
});

describe('the sessions section', () => {
  test('ends one session, and then all others', async () => {
    const person = await member(portal, 'sessions@example.com');
    await portal.started.post('/api/auth/token', person);
    await portal.as(person, '/workspaces');
    const page = await portal.as(person, '/account');
    const ends = signedInAt(page).getByRole('button', { name: /^End the session of/ });
    await ends.nth(2).waitFor();
    expect(await ends.count()).toBe(3);
    await expectLayout(page, 'account-sessions');
    await page.getByRole('button', { name: 'End the session of node' }).first().click();
    await page.getByRole('dialog').getByRole('button', { name: 'End it' }).click();
    await page.getByText('The session has ended.').waitFor();
    await ends.nth(2).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'End all others' }).click();
    await expectLayout(page, 'account-end-others');
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'End all others' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'End all others' }).click();
    await page.getByText('All your other sessions have ended.').waitFor();
    await signedInAt(page).getByText('Nowhere but here.').waitFor();
  });
});

describe('the health page', () => {
  test.each<Width>(['phone', 'desktop'])(
    'shows an administrator each check with details (%s)',
    async (width) => {
      const page = await portal.as(portal.admin, '/health', width);
      await page.getByText('Everything works').waitFor();
      for (const part of ['Database', 'Background work', 'Mail', 'Power BI']) {
        await page.getByRole('region', { name: part }).getByText('works', { exact: true }).waitFor();
      }
      await expectLayout(page, `health-${width}`);
    },
  );

  test('shows failed checks, with the reason for admins, and their recovery', async () => {
    const page = await portal.as(portal.admin, '/workspaces');
    const checks = {
      database: { status: 'ok' },
      jobs: { status: 'ok' },
      mail: { status: 'degraded', detail: 'The SMTP server does not accept mail: ECONNREFUSED' },
      power_bi: { status: 'down', detail: 'Power BI does not answer.' },
    };
    await page.route('**/api/health', (route) => route.fulfill({ json: { status: 'degraded', checks } }));
    await page.clock.install();
    await page.getByRole('link', { name: 'Health' }).click();
    await page.getByText('Some of it does not work right now').waitFor();
    await page.getByRole('region', { name: 'Mail' }).getByText('ECONNREFUSED').waitFor();
    await page.getByRole('region', { name: 'Power BI' }).getByText('down', { exact: true }).waitFor();
    await expectLayout(page, 'health-trouble');
    await page.unroute('**/api/health');
    await page.clock.fastForward(15_000);
    await page.getByText('Everything works').waitFor();
  });

  test('is in the menu of members', async () => {
    const person = await member(portal, 'healthy@example.com');
    const page = await portal.as(person, '/workspaces');
    await page.getByRole('button', { name: 'Your account' }).click();
    await page.getByRole('menuitem', { name: 'Is everything working?' }).click();
    await page.getByText('Everything works').waitFor();
  });
});

describe('unknown addresses', () => {
  test('show a message with a link back', async () => {
    const page = await portal.as(portal.admin, '/workspaces');
    await page.goto(`${portal.url}/no/such/page`);
    await page.getByRole('heading', { name: 'There is no such page' }).waitFor();
    await expectLayout(page, 'not-found');
    await page.getByRole('link', { name: 'Back to your workspaces' }).click();
    await page.getByRole('heading', { name: 'Workspaces' }).waitFor();
  });

  test('a page that cannot be loaded offers a retry', async () => {
    const page = await portal.as(portal.admin, '/workspaces');
    await page.route('**/assets/account-*.js', (route) => route.abort());
    await page.getByRole('button', { name: 'Your account' }).click();
    await page.getByRole('menuitem', { name: 'Account' }).click();
    await page.getByRole('heading', { name: 'Something went wrong' }).waitFor();
    await expectLayout(page, 'crashed');
    await page.unroute('**/assets/account-*.js');
    await page.getByRole('button', { name: 'Reload' }).click();
    await page.getByRole('heading', { name: 'Account' }).waitFor();
  });
});
