import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { cancelClosing, confirm, pick } from './admin.js';
import { isShown } from './embedded.js';
import { cutButtons, smallTargets } from './geometry.js';
import { expectLayout } from './looks.js';
import { mailTo } from './mail.js';
import { asAdmin } from './people.js';
import { Portal, type Width } from './portal.js';
import { createGroup, idOf, viewer } from './viewers.js';

let portal: Portal;
let revenue: string;
let sales: string;

beforeAll(async () => {
  portal = await Portal.open();
  revenue = await idOf(portal, 'reports', 'Revenue overview');
  sales = await idOf(portal, 'workspaces', 'Sales');
}, 120_000);
afterEach(() => expect(portal.pageErrors).toEqual([]));
afterAll(() => portal.close());

const row = (page: Page, name: RegExp) => page.getByRole('row', { name });

describe('a report', () => {
  test.each<Width>(['phone', 'desktop'])(
    'is shared with a group, whose people then see it (%s)',
    async (width) => {
      const ana = await viewer(portal, `ana-${width}@example.com`);
      const [team, inner] = [`Team ${width}`, `Nested ${width}`];
      await createGroup(portal, inner, [ana.email]);
      await createGroup(portal, team, [], [inner]);
      const page = await portal.as(portal.admin, `/reports/${revenue}`, width);
      await page.getByRole('button', { name: 'More actions' }).click();
      await page.getByRole('menuitem', { name: 'Share' }).click();
      const dialog = page.getByRole('dialog', { name: 'Share Revenue overview' });
      expect(await dialog.getByRole('button', { name: 'Grant access' }).isDisabled()).toBe(true);
      await pick(dialog, 'Users and groups', team, page);
      await dialog.getByRole('combobox', { name: 'Role' }).click();
      expect(await page.getByRole('option', { name: /^Manager/ }).count()).toBe(0);
      await page.getByRole('option', { name: /^Viewer/ }).click();
      await dialog.getByLabel('Expires (optional)').fill('2099-12-31');
      await expectLayout(page, `report-share-${width}`);
      await dialog.getByRole('button', { name: 'Grant access' }).click();
      await page.getByText(`Access granted to ${team}.`).waitFor();

      await page.goto(`${portal.url}/reports/${revenue}/access`);
      await row(page, new RegExp(`${ana.email} Viewer ${team} › ${inner}`)).waitFor();
      await expectLayout(page, `report-viewers-${width}`);
      await page.getByRole('searchbox', { name: 'Search by name' }).fill('no such name');
      await page.getByText('No users match your search').waitFor();

      const reader = await portal.as(ana, '/reports', width);
      await reader.getByRole('link', { name: 'Revenue overview' }).click();
      await isShown(reader, 'Revenue overview');
      await reader.getByRole('button', { name: 'More actions' }).click();
      await reader.getByRole('menuitem', { name: 'Print' }).waitFor();
      expect(await reader.getByRole('menuitem', { name: 'Share' }).count()).toBe(0);
      await reader.keyboard.press('Escape');
      await reader.goto(`${portal.url}/workspaces/${sales}`);
      await reader.getByText('1 report', { exact: true }).waitFor();
    },
  );

  test.each<Width>(['phone', 'desktop'])(
    'is shared with several people by keyboard, who receive a link and the message (%s)',
    async (width) => {
      const [uma, udo] = [
        await viewer(portal, `uma-${width}@example.com`),
        await viewer(portal, `udo-${width}@example.com`),
      ];
      const unknown = `unknown-${width}@example.com`;
      const page = await portal.as(portal.admin, `/reports/${revenue}/access?tab=grants`, width);
      await page.getByRole('button', { name: 'Share' }).press('Enter');
      const dialog = page.getByRole('dialog', { name: 'Share Revenue overview' });
      for (const { email } of [uma, udo]) await pick(dialog, 'Users and groups', nameOf(email), page);
      await pick(dialog, 'Users and groups', unknown, page);
      expect(await page.getByRole('option', { name: `Invite ${unknown}` }).count()).toBe(0);
      await dialog.getByRole('textbox', { name: 'Message (optional)' }).fill('Figures\nof the month');
      await expectLayout(page, `share-several-${width}`);
      expect([await cutButtons(page), await smallTargets(page)]).toEqual([[], []]);
      await dialog.getByRole('button', { name: 'Grant access' }).press('Enter');
      await page.getByText('Access granted to 3 recipients.').waitFor();
      await dialog.waitFor({ state: 'detached' });
      for (const { email } of [uma, udo]) {
        await row(page, new RegExp(`^${nameOf(email)}`)).waitFor();
        const text = await mailTo(portal, email, 'Revenue overview');
        expect(text).toContain(`/reports/${revenue}`);
        expect(text).toContain('wrote: Figures of the month');
      }
      const text = await mailTo(portal, unknown);
      expect(text).toContain('Revenue overview');
      expect(text).toContain('wrote: Figures of the month');
      expect(text).toContain('/invitation#token=');
    },
  );

  test('is shared without an email if this is not wanted', async () => {
    const ned = await viewer(portal, 'ned@example.com');
    const tim = await viewer(portal, 'tim@example.com');
    const page = await portal.as(portal.admin, `/reports/${revenue}/access?tab=grants`);
    await page.getByRole('button', { name: 'Share' }).click();
    await pick(page.getByRole('dialog'), 'Users and groups', 'ned', page);
    await page.getByRole('dialog').getByRole('switch', { name: 'Notify by email' }).press('Space');
    expect(await page.getByRole('textbox', { name: 'Message (optional)' }).count()).toBe(0);
    // Before the search finds the account.
    await page.getByRole('combobox', { name: 'Users and groups' }).fill(tim.email);
    await page.getByRole('combobox', { name: 'Users and groups' }).press('Enter');
    await confirm(page, 'Grant access');
    for (const { email } of [ned, tim]) {
      await row(page, new RegExp(`^${nameOf(email)}`)).waitFor();
      const invitations = await asAdmin(portal, 'GET', `/api/invitations?q=${email}`);
      const { invitations: found } = (await invitations.json()) as { invitations: unknown[] };
      // The one that created the account.
      expect(found).toHaveLength(1);
    }
  });

  test('that cannot be shared with one recipient names the recipient and keeps the others', async () => {
    const page = await portal.as(portal.admin, `/reports/${revenue}/access?tab=grants`);
    const problem = { status: 429, code: 'rate_limited', title: '', detail: '', request_id: 'r-1' };
    await page.route('**/api/users/invite', (route) =>
      route.request().postData()?.includes('limited@')
        ? route.fulfill({ status: 429, json: problem })
        : route.continue(),
    );
    await page.getByRole('button', { name: 'Share' }).click();
    const dialog = page.getByRole('dialog');
    await pick(dialog, 'Users and groups', 'first@example.com', page);
    await pick(dialog, 'Users and groups', 'limited@example.com', page);
    await confirm(page, 'Grant access');
    await page.getByText('Access granted to first@example.com.').waitFor();
    await dialog.getByText('Not shared with limited@example.com.').waitFor();
    await dialog.getByRole('alert').waitFor();
    await page.unrouteAll({ behavior: 'wait' });
  });

  test('that a recipient has already says so, because no email is sent', async () => {
    const zoe = await viewer(portal, 'zoe@example.com');
    const page = await portal.as(portal.admin, `/reports/${revenue}/access?tab=grants`);
    const shareWithZoe = async (): Promise<void> => {
      await page.getByRole('button', { name: 'Share' }).click();
      await pick(page.getByRole('dialog'), 'Users and groups', nameOf(zoe.email), page);
      await confirm(page, 'Grant access');
    };
    await shareWithZoe();
    await page.getByText(/^Access granted to zoe/).waitFor();
    await shareWithZoe();
    await page.getByText(/^zoe.* already had this access. No email was sent.$/).waitFor();
  });

  test('shows the links of invitations without a mail server, also if another recipient fails', async () => {
    const page = await portal.as(portal.admin, '/users');
    await page.route('**/reports/*/access*', async (route) => {
      const response = await route.fetch();
      const body = (await response.text()).replace('"mailConfigured":true', '"mailConfigured":false');
      await route.fulfill({ response, body });
    });
    const problem = { status: 429, code: 'rate_limited', title: '', detail: '', request_id: 'r-1' };
    await page.route('**/api/users/invite', async (route) => {
      if (route.request().postData()?.includes('limited@'))
        return route.fulfill({ status: 429, json: problem });
      const response = await route.fetch();
      const json: unknown = await response.json();
      return route.fulfill({ response, json: { ...Object(json), accept_url: 'https://a.test/#token=x' } });
    });
    await page.goto(`${portal.url}/reports/${revenue}/access?tab=grants`);
    await page.getByRole('link', { name: 'Help', exact: true }).click();
    await page.getByRole('heading', { name: 'Help', level: 1 }).waitFor();
    await page.goBack();
    await page.getByRole('button', { name: 'Share' }).click();
    const dialog = page.getByRole('dialog', { name: 'Share Revenue overview' });
    await dialog.getByText('No mail server is configured. Users are not notified.').waitFor();
    expect(await dialog.getByRole('switch').count()).toBe(0);
    await pick(dialog, 'Users and groups', 'linked@example.com', page);
    await pick(dialog, 'Users and groups', 'limited@example.com', page);
    await confirm(page, 'Grant access');
    await dialog.getByText('Not shared with limited@example.com.').waitFor();
    await page.goForward();
    const question = page.getByRole('dialog', { name: 'Discard this link?' });
    await question.getByRole('button', { name: 'Cancel' }).click();
    await question.waitFor({ state: 'detached' });
    await cancelClosing(page);
    await page.keyboard.press('Escape');
    const link = dialog.getByLabel('Invitation link for linked@example.com');
    expect(await link.inputValue()).toBe('https://a.test/#token=x');
    await dialog.getByRole('button', { name: 'Done' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.unrouteAll({ behavior: 'wait' });
  });

  test('shows why a person can see it', async () => {
    const why = await viewer(portal, 'why@example.com', { Sales: 'viewer' });
    await createGroup(portal, 'Why inner', [why.email]);
    await createGroup(portal, 'Why outer', [], ['Why inner']);
    const page = await portal.as(portal.admin, `/reports/${revenue}/access?tab=grants`);
    await page.getByRole('button', { name: 'Share' }).click();
    await pick(page.getByRole('dialog'), 'Users and groups', 'Why outer', page);
    await page.getByRole('dialog').getByRole('combobox', { name: 'Role' }).click();
    await page.getByRole('option', { name: /^Editor/ }).click();
    await confirm(page, 'Grant access');
    await row(page, /^Why outer Group Editor Manual Administrator Never/).waitFor();
    await expectLayout(page, 'report-grants');
    await page.getByRole('tab', { name: 'Who can see this' }).click();
    await page.getByRole('searchbox', { name: 'Search by name' }).fill(nameOf(why.email));
    await row(page, new RegExp(`${why.email} Editor`))
      .getByRole('button', { name: /^Why can .* see this\?$/ })
      .press('Enter');
    const dialog = page.getByRole('dialog', { name: /^Why can .* see this\?$/ });
    await dialog.getByText(/can view and edit this report/).waitFor();
    const paths = dialog.getByRole('listitem');
    await paths
      .first()
      .filter({ hasText: /Editor on this report in Sales · Through Why outer › Why inner.*In effect/ })
      .waitFor();
    await paths.filter({ hasText: 'Viewer on the workspace Sales · Granted directly' }).waitFor();
    await expectLayout(page, 'report-why');
  });

  test('is taken back from a group', async () => {
    const lea = await viewer(portal, 'lea@example.com');
    await createGroup(portal, 'Leaving', [lea.email]);
    const page = await portal.as(portal.admin, `/reports/${revenue}/access?tab=grants`);
    await page.getByRole('button', { name: 'Share' }).click();
    await pick(page.getByRole('dialog'), 'Users and groups', 'Leaving', page);
    await confirm(page, 'Grant access');
    const reader = await portal.as(lea, `/reports/${revenue}`);
    await isShown(reader, 'Revenue overview');
    await page.getByRole('button', { name: 'Remove Leaving' }).click();
    await page.getByText('Access through other grants and groups remains.').waitFor();
    await confirm(page, 'Remove');
    await row(page, /^Leaving/).waitFor({ state: 'detached' });
    await reader.reload();
    await reader.getByText("Report not found, or you don't have access").waitFor();
  });
});

describe('a workspace', () => {
  test('is granted to a group by its manager, who finds only groups that share a workspace', async () => {
    const max = await viewer(portal, 'max@example.com', { Sales: 'manager' });
    await createGroup(portal, 'Max knows it', [max.email]);
    await createGroup(portal, 'Max does not know it');
    const page = await portal.as(max, `/workspaces/${sales}?tab=access`);
    await page.getByRole('button', { name: 'Add member' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add member to Sales' });
    await dialog.getByRole('combobox', { name: 'Users and groups' }).fill('Max does not');
    await page.getByText('No users or groups match. Invite new users by email.').waitFor();
    await pick(dialog, 'Users and groups', 'Max knows it', page);
    await confirm(page, 'Grant access');
    await row(page, /^Max knows it Group Viewer Manual/).waitFor();
    expect(await page.getByRole('link', { name: 'Max knows it' }).count()).toBe(0);
  });

  test('a viewer sees neither the tab nor the access page of a report', async () => {
    const vic = await viewer(portal, 'vic@example.com', { Sales: 'viewer' });
    const page = await portal.as(vic, `/workspaces/${sales}?tab=access`);
    await page.getByRole('link', { name: 'Revenue overview' }).waitFor();
    expect(await page.getByRole('tab').count()).toBe(0);
    await page.goto(`${portal.url}/reports/${revenue}/access`);
    await page.getByRole('heading', { name: 'Access denied' }).waitFor();
    expect(await page.getByRole('tab').count()).toBe(0);
  });
});

const nameOf = (email: string): string => email.split('@')[0] ?? email;
