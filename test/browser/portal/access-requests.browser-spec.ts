import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import PostalMime from 'postal-mime';
import { until } from '../../support/until.js';
import { expectLayout } from './looks.js';
import { Portal, type Width } from './portal.js';
import { idOf, viewer } from './viewers.js';

let portal: Portal;

beforeAll(async () => {
  portal = await Portal.open();
}, 120_000);
afterEach(() => expect(portal.pageErrors).toEqual([]));
afterAll(() => portal.close());

/** The newest mail to this address with this subject. */
const mailTo = (email: string, subject: string) =>
  until(async () => {
    const folder = join(portal.started.dataDir, 'mail');
    const names = readdirSync(folder).filter((name) => name.endsWith(`-${email}.eml`));
    const mails = await Promise.all(
      names.toSorted().map((name) => PostalMime.parse(readFileSync(join(folder, name)))),
    );
    return mails.findLast((mail) => mail.subject?.includes(subject));
  });

describe('an access request', () => {
  test.each<Width>(['desktop', 'phone'])(
    'is sent from the link of a report, and approved from the mail (%s)',
    async (width) => {
      const [report, name] = [await idOf(portal, 'reports', 'Revenue overview'), `ruth-${width}@example.com`];
      const ruth = await viewer(portal, name);
      const mona = await viewer(portal, `mona-${width}@example.com`, { Sales: 'manager' });
      const page = await portal.as(ruth, `/reports/${report}`, width);
      await page.getByRole('button', { name: 'Request access' }).click();
      const dialog = page.getByRole('dialog', { name: 'Request access' });
      await dialog.getByLabel('Reason (optional)').fill('Month-end\nclosing');
      await expectLayout(page, `request-access-${width}`);
      await dialog.getByRole('button', { name: 'Send request' }).click();
      await page.getByText('Request sent.').waitFor();
      await page.reload();
      await page.getByText('Request sent.').waitFor();

      const mail = await mailTo(mona.email, 'requested access to Revenue overview');
      const link = /https?:\/\/\S+\/access-requests\?id=[\w-]+/.exec(mail.text ?? '')?.[0] ?? '';
      const { pathname, search } = new URL(link);
      const deciding = await portal.as(mona, `${pathname}${search}`, width);
      const row = deciding.getByRole('row', { name: new RegExp(ruth.email) });
      await row.getByText('Month-end closing').waitFor();
      await expectLayout(deciding, `access-requests-${width}`);
      await row.getByRole('button', { name: /^Approve/ }).click();
      await deciding.getByText('now has access.').waitFor();
      await deciding.getByText('This request has been decided').waitFor();

      await mailTo(ruth.email, 'You now have access to Revenue overview');
      await page.reload();
      await page.getByRole('heading', { name: 'Revenue overview' }).waitFor();
    },
  );

  test('for a workspace can be declined, and who sent it sees the result', async () => {
    const sales = await idOf(portal, 'workspaces', 'Sales');
    const page = await portal.as(await viewer(portal, 'dora@example.com'), `/workspaces/${sales}`);
    await page.getByRole('button', { name: 'Request access' }).click();
    await page.getByRole('button', { name: 'Send request' }).click();
    await page.getByText('Request sent.').waitFor();
    const deciding = await portal.as(portal.admin, '/access-requests');
    const row = deciding.getByRole('row', { name: /dora@example.com/ });
    await row.getByRole('button', { name: /^Decline/ }).click();
    await row.waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Your access requests' }).click();
    await page.getByRole('row', { name: /Workspace .*Declined/ }).waitFor();
    expect(await page.getByRole('heading', { level: 2 }).allInnerTexts()).toEqual(['Your requests']);
  });

  test('that is approved is in the list of access that was shown before', async () => {
    const sales = await idOf(portal, 'workspaces', 'Sales');
    await viewer(portal, 'olaf@example.com', { Sales: 'viewer' });
    const page = await portal.as(await viewer(portal, 'nora@example.com'), `/workspaces/${sales}`);
    await page.getByRole('button', { name: 'Request access' }).click();
    await page.getByRole('button', { name: 'Send request' }).click();
    await page.getByText('Request sent.').waitFor();
    const deciding = await portal.as(portal.admin, `/workspaces/${sales}?tab=access`);
    const row = (name: string) => deciding.getByRole('row', { name: new RegExp(name) });
    await row('olaf@example.com').waitFor();
    await deciding.getByRole('link', { name: 'Admin', exact: true }).click();
    await deciding.getByRole('link', { name: 'Access requests', exact: true }).click();
    await row('nora@example.com')
      .getByRole('button', { name: /^Approve/ })
      .click();
    await deciding.getByText('now has access.').waitFor();
    await deciding.goBack();
    await deciding.goBack();
    await row('olaf@example.com').waitFor();
    await row('nora@example.com').waitFor();
  });

  test('of a link is said to be decided only after all pages are loaded', async () => {
    const request = {
      id: '01890a5d-ac96-774b-bcce-b302099a8057',
      status: 'pending',
      requester_name: 'First Page',
      requester_email: 'first@example.com',
      reason: null,
      workspace_id: null,
      report_id: null,
      created_at: '2026-03-05T21:30:00Z',
    };
    const page = await portal.as(portal.admin, '/health');
    await page.route(/\/api\/access-requests\?.*status=pending/, (route) =>
      route.request().url().includes('cursor=next')
        ? route.fulfill({ json: { access_requests: [] } })
        : route.fulfill({
            json: { access_requests: [request] },
            headers: { Link: '</api/access-requests?cursor=next>; rel="next"' },
          }),
    );
    await page.goto(`${portal.url}/access-requests?id=01890a5d-ac96-774b-bcce-b302099a8058`);
    await page.getByRole('row', { name: /first@example.com/ }).waitFor();
    const decided = page.getByText('This request has been decided');
    expect(await decided.count()).toBe(0);
    await page.getByRole('button', { name: 'Show more' }).click();
    await decided.waitFor();
  });

  test('is found again in the user menu and in the search', async () => {
    const page = await portal.as(await viewer(portal, 'rosa@example.com'));
    await page.getByRole('button', { name: 'Your account' }).click();
    await page.getByRole('menuitem', { name: 'Your access requests' }).click();
    await page.getByRole('heading', { name: 'You have not requested access' }).waitFor();
    await expectLayout(page, 'access-requests-own');
    await page.goto(`${portal.url}/`);
    await page.getByRole('button', { name: /^Search reports/ }).click();
    await page.getByRole('combobox', { name: /^Search/ }).fill('access');
    await page.getByRole('option', { name: /^Your access requests/ }).click();
    await page.getByRole('heading', { name: 'Access requests', level: 1 }).waitFor();
  });

  test.each([
    ['/', 'desktop'],
    ['/reports', 'phone'],
    ['/workspaces', 'desktop'],
    ['/account', 'phone'],
    ['/users', 'desktop'],
    ['/analytics', 'phone'],
  ] as const)('is sent from %s with the link to a report (%s)', async (path, width) => {
    const revenue = await idOf(portal, 'reports', 'Revenue overview');
    const email = `eve-${path.slice(1) || 'home'}@example.com`;
    const page = await portal.as(await viewer(portal, email), path, width);
    const button = page.getByRole('main').getByRole('button', { name: 'Request access' });
    await button.click();
    const dialog = page.getByRole('dialog', { name: 'Request access' });
    const link = dialog.getByLabel('Link to the report or workspace');
    await link.fill(`https://app.powerbi.com/groups/me/reports/${revenue}`);
    await dialog.getByRole('button', { name: 'Send request' }).click();
    await dialog.getByText('Enter a link to a report or workspace of this portal').waitFor();
    if (path === '/users') await expectLayout(page, 'request-access-link');
    await link.fill(` ${portal.url}/reports/${revenue}?page=p1 `);
    await link.press('Enter');
    await page.getByText('Request sent.').waitFor();
    await dialog.waitFor({ state: 'detached' });
    await button.and(page.locator(':focus')).waitFor();
    const deciding = await portal.as(portal.admin, '/access-requests');
    await deciding.getByRole('row', { name: new RegExp(`${email} .*Revenue overview`) }).waitFor();
  });
});
