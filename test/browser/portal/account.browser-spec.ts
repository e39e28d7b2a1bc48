import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { until } from '../../support/until.js';
import { expectLayout } from './looks.js';
import { chosen, member } from './people.js';
import { inDatabase } from '../../local/owner-database.js';
import { Portal, type Width } from './portal.js';
import { idOf, viewer } from './viewers.js';

let portal: Portal;

beforeAll(async () => {
  portal = await Portal.open();
}, 120_000);
afterAll(async () => {
  await portal.close();
  expect(portal.pageErrors).toEqual([]);
});

const section = (page: Page, name: string): Locator => page.getByRole('region', { name, exact: true });
const signedInAt = (page: Page): Locator => section(page, 'Active sessions');

describe('the account page', () => {
  test.each<Width>(['phone', 'desktop'])("shows the user's identity and workspaces (%s)", async (width) => {
    const person = await member(portal, `who-${width}@example.com`);
    const page = await portal.as(person, '/account', width);
    await section(page, 'Profile').getByText('Mina Member').waitFor();
    await section(page, 'Your workspaces').getByRole('link', { name: 'Sales' }).waitFor();
    await section(page, 'Your workspaces').getByText('Viewer', { exact: true }).waitFor();
    await signedInAt(page).getByText('This device').waitFor();
    await expectLayout(page, `account-${width}`);
    await section(page, 'Your workspaces').getByRole('link', { name: 'Sales' }).click();
    await page.waitForURL('**/workspaces/*');
  });

  test('shows an administrator that no grant is needed', async () => {
    const page = await portal.as(portal.admin, '/account');
    await page.getByText('As an administrator, you can view and manage all workspaces.').waitFor();
  });

  test('a person with many grants manages the last workspace, too', async () => {
    const person = await viewer(portal, 'many@example.com', { Sales: 'manager' });
    await inDatabase(portal.started.dataDir, async (query) => {
      await query(
        `INSERT INTO workspaces (id, pbi_workspace_id, name, report_count, updated_at)
         SELECT gen_random_uuid(), gen_random_uuid(), 'Aaa ' || n, 0, now() FROM generate_series(1, 120) n`,
      );
      await query(
        `INSERT INTO grants (user_id, workspace_id, source, role, created_at)
         SELECT u.id, w.id, 'manual', 'viewer', now() FROM users u, workspaces w
         WHERE u.email = 'many@example.com' AND w.name LIKE 'Aaa %'`,
      );
    });
    const page = await portal.as(person, `/workspaces/${await idOf(portal, 'workspaces', 'Sales')}`);
    await page.getByRole('tab', { name: 'Access' }).waitFor();
    const own = await portal.as(person, '/account');
    await section(own, 'Your workspaces').getByText('Showing 50').waitFor();
    for (let count = 0; count < 2; count += 1)
      await section(own, 'Your workspaces').getByRole('button', { name: 'Show more' }).click();
    await section(own, 'Your workspaces').getByRole('link', { name: 'Sales' }).waitFor();
  });

  test('shows a failed request and retries it on click', async () => {
    const person = await member(portal, 'broken@example.com');
    const page = await portal.as(person, '/workspaces');
    await page.route('**/api/auth/sessions', (route) => route.fulfill({ status: 500, body: 'oops' }));
    await page.getByRole('button', { name: 'Your account' }).click();
    await page.getByRole('menuitem', { name: 'Account' }).click();
    await page.getByText('Unexpected response').waitFor();
    await page.unroute('**/api/auth/sessions');
    await page.getByRole('button', { name: 'Try again' }).click();
    await signedInAt(page).getByText('This device').waitFor();
  });

  test('keeps the selected theme', async () => {
    const page = await portal.as(portal.admin, '/account');
    const scheme = () => page.locator('html').getAttribute('data-mantine-color-scheme');
    expect(await scheme()).toBe('light');
    await section(page, 'Theme').getByText('Dark').click();
    expect(await scheme()).toBe('dark');
    await page.reload();
    await section(page, 'Theme').waitFor();
    expect(await scheme()).toBe('dark');
    await page.getByRole('button', { name: 'Your account' }).click();
    await page.getByRole('menuitem', { name: 'Light theme' }).click();
    expect(await scheme()).toBe('light');
  });
});

describe('the own name', () => {
  const field = (page: Page) => section(page, 'Profile').getByRole('textbox', { name: 'Name' });
  const button = (page: Page, name: string) => section(page, 'Profile').getByRole('button', { name });

  test.each<Width>(['phone', 'desktop'])('is changed, and shown at once (%s)', async (width) => {
    const person = await member(portal, `rename-${width}@example.com`);
    const page = await portal.as(person, '/account', width);
    await button(page, 'Edit name').press('Enter');
    await page.keyboard.type('https://x.test');
    await page.keyboard.press('Enter');
    await section(page, 'Profile')
      .getByText(/^Enter a name with up to 200/)
      .waitFor();
    await expectLayout(page, `account-name-${width}`);
    await field(page).fill('Mina Minsky');
    await button(page, 'Save').click();
    await section(page, 'Profile').getByText('Mina Minsky').waitFor();
    await button(page, 'Edit name').and(page.locator(':focus')).waitFor();
    await page.getByRole('button', { name: 'Your account' }).click();
    await page.getByRole('menu').getByText('Mina Minsky').waitFor();
    await page.reload();
    await section(page, 'Profile').getByText('Mina Minsky').waitFor();
  });

  test('stays after Cancel and Escape', async () => {
    const page = await portal.as(await member(portal, 'keep@example.com'), '/account');
    for (const cancel of [() => button(page, 'Cancel').click(), () => page.keyboard.press('Escape')]) {
      await button(page, 'Edit name').click();
      await field(page).fill('Somebody else');
      await cancel();
      await section(page, 'Profile').getByText('Mina Member').waitFor();
      await button(page, 'Edit name').and(page.locator(':focus')).waitFor();
    }
  });

  test('is edited in German', async () => {
    const page = await portal.as(await member(portal, 'german@example.com'), '/account', 'phone');
    await page.getByRole('combobox', { name: 'Language' }).click();
    await page.getByRole('option', { name: 'Deutsch' }).click();
    const profile = section(page, 'Profil');
    await profile.getByRole('button', { name: 'Name bearbeiten' }).click();
    await profile.getByRole('textbox', { name: 'Name' }).fill('https://x.test');
    await profile.getByRole('button', { name: 'Speichern' }).click();
    await profile.getByText(/^Geben Sie einen Namen mit bis zu 200/).waitFor();
    await expectLayout(page, 'account-name-de');
    await profile.getByRole('button', { name: 'Abbrechen' }).click();
  });
});

describe('the password form', () => {
  test('is not shown to a user who signs in only with the organization', async () => {
    const page = await portal.tab(await portal.newContext('phone'));
    await page.goto(`${portal.url}/account`);
    await page.getByRole('button', { name: 'Sign in with your organization' }).click();
    await page.click('#ben');
    await section(page, 'Organization sign-in').getByText('Your organization manages your sign-in').waitFor();
    expect(await page.getByLabel(/password/i).count()).toBe(0);
    await section(page, 'Organization sign-in').scrollIntoViewIfNeeded();
    await expectLayout(page, 'account-organization');
  });

  async function change(page: Page, current: string, next: string): Promise<void> {
    await page.getByLabel(/^Current password/).fill(current);
    await page.getByLabel(/^New password/).fill(next);
    await page.getByLabel(/^New password/).press('Enter');
  }

  test('changes the password, which ends the other sessions but not the current one', async () => {
    const person = await member(portal, 'change@example.com');
    const other = await portal.as(person, '/workspaces');
    const page = await portal.as(person, '/account');
    await signedInAt(page).getByRole('button', { name: 'Sign out all other sessions' }).waitFor();
    await change(page, 'not my password', 'a wholly different phrase');
    await page.getByText('This is not your current password.').waitFor();
    await change(page, chosen, 'passwordpassword');
    await page.getByText('This password is too common').waitFor();
    await expectLayout(page, 'account-password');
    await change(page, chosen, 'a wholly different phrase');
    await page.getByText('Password changed. Your other sessions were signed out.').waitFor();
    await until(async () => (await page.getByLabel(/^New password/).inputValue()) === '');
    await signedInAt(page).getByText('You have no other active sessions.').waitFor();
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
    const ends = signedInAt(page).getByRole('button', { name: /^Sign out (?!all)/ });
    await ends.nth(2).waitFor();
    expect(await ends.count()).toBe(3);
    await expectLayout(page, 'account-sessions');
    await page.getByRole('button', { name: 'Sign out node' }).first().click();
    await page.getByRole('dialog').getByRole('button', { name: 'Sign out' }).click();
    await page.getByText('Session signed out.').waitFor();
    await ends.nth(2).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Sign out all other sessions' }).click();
    await expectLayout(page, 'account-end-others');
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Sign out all other sessions' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Sign out all other sessions' }).click();
    await page.getByText('All other sessions were signed out.').waitFor();
    await signedInAt(page).getByText('You have no other active sessions.').waitFor();
  });
});

describe('the health page', () => {
  test.each<Width>(['phone', 'desktop'])(
    'shows an administrator each check with details (%s)',
    async (width) => {
      const page = await portal.as(portal.admin, '/health', width);
      await page.getByText('All systems operational').waitFor();
      for (const part of ['Database', 'Background jobs', 'Email', 'Power BI']) {
        await page.getByRole('region', { name: part }).getByText('Operational', { exact: true }).waitFor();
      }
      await expectLayout(page, `health-${width}`);
    },
  );

  test('shows failed checks, with the reason for admins, and their recovery', async () => {
    const page = await portal.as(portal.admin, '/users');
    const checks = {
      database: { status: 'ok' },
      jobs: { status: 'ok' },
      mail: { status: 'degraded', detail: 'The SMTP server does not accept mail: ECONNREFUSED' },
      power_bi: { status: 'down', detail: 'Power BI does not answer.' },
    };
    await page.route('**/api/health', (route) => route.fulfill({ json: { status: 'degraded', checks } }));
    await page.clock.install();
    await page.getByRole('link', { name: 'Status' }).click();
    await page.getByText('Some systems are degraded').waitFor();
    await page.getByRole('region', { name: 'Email' }).getByText('ECONNREFUSED').waitFor();
    await page.getByRole('region', { name: 'Power BI' }).getByText('Down', { exact: true }).waitFor();
    await expectLayout(page, 'health-trouble');
    await page.unroute('**/api/health');
    await page.clock.fastForward(15_000);
    await page.getByText('All systems operational').waitFor();
  });

  test('is in the menu of members', async () => {
    const person = await member(portal, 'healthy@example.com');
    const page = await portal.as(person, '/workspaces');
    await page.getByRole('button', { name: 'Your account' }).click();
    await page.getByRole('menuitem', { name: 'System status' }).click();
    await page.getByText('All systems operational').waitFor();
  });
});

describe('unknown addresses', () => {
  test('show a message with a link back', async () => {
    const page = await portal.as(portal.admin, '/workspaces');
    await page.goto(`${portal.url}/no/such/page`);
    await page.getByRole('heading', { name: 'Page not found' }).waitFor();
    await expectLayout(page, 'not-found');
    await page.getByRole('link', { name: 'Go to Home' }).click();
    await page.getByRole('heading', { name: /^Good/, level: 1 }).waitFor();
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
