import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { inDatabase } from '../../local/owner-database.js';
import { until } from '../../support/until.js';
import { breaksOff, confirm, fails, failsOnce, pick, returnToTab } from './admin.js';
import { expectLayout } from './looks.js';
import { linkFor } from './mail.js';
import { chosen, invite } from './people.js';
import { Portal, type Width } from './portal.js';
import { createGroup, idOf, viewer } from './viewers.js';

let portal: Portal;

beforeAll(async () => {
  portal = await Portal.open();
}, 120_000);
afterEach(() => expect(portal.pageErrors).toEqual([]));
afterAll(() => portal.close());

const row = (page: Page, name: RegExp) => page.getByRole('row', { name });

describe('the invitations page', () => {
  test.each<Width>(['phone', 'desktop'])(
    'lists invitations with the delivery of their email (%s)',
    async (width) => {
      await invite(portal, `listed-${width}@example.com`, { name: 'Lisa Listed' });
      const page = await portal.as(portal.admin, '/invitations', width);
      await row(page, new RegExp(`listed-${width}.*Sales Viewer.*Pending.*Email sent.*by you`)).waitFor();
      await expectLayout(page, `invitations-${width}`);
    },
  );

  test('has a search and filters, which are in the URL', async () => {
    await invite(portal, 'needle@example.com');
    const page = await portal.as(portal.admin, '/invitations');
    await page.getByRole('searchbox').fill('needle');
    await row(page, /listed-phone/).waitFor({ state: 'detached' });
    await page.getByRole('combobox', { name: 'Any delivery status' }).click();
    await page.getByRole('option', { name: 'Email sent' }).click();
    await row(page, /needle/).waitFor();
    await page.getByRole('combobox', { name: 'Any status' }).click();
    await page.getByRole('option', { name: 'Revoked' }).click();
    await page.getByText('No invitations match your filters').waitFor();
    const parameters = Object.fromEntries(new URL(page.url()).searchParams);
    expect(parameters).toEqual({ q: 'needle', delivery: 'sent', status: 'revoked' });
  });

  test('shows a failed request and retries it on click', async () => {
    const page = await portal.as(portal.admin, '/health');
    const go = () => page.getByRole('link', { name: 'Invitations' }).click();
    await failsOnce(page, '**/api/invitations?*', go);
    await page.getByRole('row').nth(1).waitFor();
  });

  test('offers no invitation to a user who manages no workspace', async () => {
    const page = await portal.as(
      await viewer(portal, 'vera@example.com', { Sales: 'viewer' }),
      '/invitations',
    );
    await page.getByText('Only administrators and managers of a workspace can view this page').waitFor();
    expect(await page.getByRole('button', { name: 'Invite user' }).count()).toBe(0);
  });
});

describe('the invitation form', () => {
  test.each<Width>(['phone', 'desktop'])('invites to a workspace until a date (%s)', async (width) => {
    const email = `one-${width}@example.com`;
    const page = await portal.as(portal.admin, '/invitations', width);
    await page.getByRole('button', { name: 'Invite user' }).click();
    const dialog = page.getByRole('dialog', { name: 'Invite user' });
    await dialog.getByLabel(/^Email/).fill(email);
    await dialog.getByRole('button', { name: 'Add workspace' }).click();
    await dialog.getByRole('button', { name: 'Invite', exact: true }).click();
    await dialog.getByText('Make a selection or remove this entry').waitFor();
    await pick(dialog, 'Workspace', 'Finance', page);
    await dialog.getByRole('combobox', { name: 'Role in the workspace' }).waitFor();
    expect(await dialog.getByRole('combobox', { name: 'Role', exact: true }).count()).toBe(0);
    await dialog.getByLabel('Expires (optional)').fill('2099-12-31');
    await expectLayout(page, `invite-${width}`);
    await dialog.getByRole('button', { name: 'Invite', exact: true }).click();
    await dialog.getByText(`Invited ${email}`).waitFor();
    await dialog.getByText('Email sent').waitFor();
    await expectLayout(page, `invited-${width}`);
    expect(await linkFor(portal, email)).toContain('#token=');
    await dialog.getByRole('button', { name: 'Done' }).click();
    await row(page, new RegExp(`${email}.*Finance Viewer`)).waitFor();
  });

  test('invites to a single report and a group', async () => {
    const email = 'report-and-group@example.com';
    const group = await createGroup(portal, 'Invited group');
    const page = await portal.as(portal.admin, '/invitations?new=yes');
    const dialog = page.getByRole('dialog', { name: 'Invite user' });
    await dialog.getByLabel(/^Email/).fill(email);
    await dialog.getByRole('button', { name: 'Add report' }).click();
    await pick(dialog, 'Report', 'Cash flow', page);
    await dialog.getByRole('combobox', { name: 'Role in the portal' }).waitFor();
    await dialog.getByRole('combobox', { name: 'Role on the report' }).click();
    expect(await page.getByRole('option', { name: /^Manager/ }).count()).toBe(0);
    await page.getByRole('option', { name: /^Editor/ }).click();
    await pick(dialog, 'Groups (optional)', 'Invited group', page);
    await dialog.getByText('Report 1').click();
    await expectLayout(page, 'invite-report');
    await dialog.getByRole('button', { name: 'Invite', exact: true }).click();
    await dialog.getByText(`Invited ${email}`).waitFor();
    await dialog.getByRole('button', { name: 'Done' }).click();
    await row(page, new RegExp(`${email} Cash flow Editor, report ?Invited group Group`)).waitFor();
    const link = await linkFor(portal, email);
    const invitation_token = new URL(link).hash.replace('#token=', '');
    const accepted = await portal.started.post('/api/auth/token', {
      grant_type: 'invitation',
      invitation_token,
      password: chosen,
    });
    expect(accepted.status).toBe(200);
    await page.goto(`${portal.url}/groups/${group}`);
    await row(page, new RegExp(email)).waitFor();
    const reader = await portal.as({ email, password: chosen }, '/reports');
    await reader.getByRole('link', { name: 'Cash flow' }).waitFor();
  });

  test('is opened by a link once, not by a reload', async () => {
    const page = await portal.as(portal.admin, '/invitations?q=once&new=yes');
    const dialog = page.getByRole('dialog', { name: 'Invite user' });
    await dialog.getByLabel(/^Email/).fill('once@example.com');
    await dialog.getByLabel(/^Email/).press('Enter');
    await dialog.getByText('Invited once@example.com').waitFor();
    expect(new URL(page.url()).search).toBe('?q=once');
    await page.reload();
    await row(page, /once@example.com/).waitFor();
    expect(await dialog.count()).toBe(0);
  });

  test('reports that the address is already invited', async () => {
    await invite(portal, 'twice@example.com');
    const page = await portal.as(portal.admin, '/invitations?new=yes');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel(/^Email/).fill('twice@example.com');
    await dialog.getByLabel(/^Email/).press('Enter');
    await dialog.getByText('twice@example.com is already invited').waitFor();
    await dialog.getByRole('button', { name: 'Invite another user' }).click();
    await dialog.getByLabel(/^Email/).fill(portal.admin.email);
    await dialog.getByLabel(/^Email/).press('Enter');
    await dialog
      .getByRole('alert')
      .getByText('The user already has an account and all of this access')
      .waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  });
});

describe('a connection that breaks off in a response', () => {
  test('keeps the input of the form', async () => {
    const page = await portal.as(portal.admin, '/invitations?new=yes');
    const dialog = page.getByRole('dialog', { name: 'Invite user' });
    await breaksOff(page, '**/api/users/invite');
    await dialog.getByLabel(/^Email/).fill('broken@example.com');
    await dialog.getByLabel(/^Email/).press('Enter');
    await dialog.getByRole('alert').getByText("Can't reach the server").waitFor();
    expect(await dialog.getByLabel(/^Email/).inputValue()).toBe('broken@example.com');
  });

  test('is shown at the field of a picker', async () => {
    const page = await portal.as(portal.admin, '/invitations?new=yes');
    const dialog = page.getByRole('dialog', { name: 'Invite user' });
    await breaksOff(page, '**/api/workspaces?*');
    await dialog.getByRole('button', { name: 'Add workspace' }).click();
    await dialog.getByRole('combobox', { name: 'Workspace', exact: true }).fill('sal');
    await dialog.getByText("Can't reach the server").waitFor();
  });
});

describe('a pending invitation', () => {
  test('is sent again, but not too often', async () => {
    await invite(portal, 'again@example.com');
    const page = await portal.as(portal.admin, '/invitations?q=again');
    await page.getByRole('button', { name: 'Resend invitation to again@example.com' }).click();
    await page.getByText('Too many attempts').waitFor();
  });

  test('is revoked', async () => {
    await invite(portal, 'revoked@example.com');
    const page = await portal.as(portal.admin, '/invitations?q=revoked&status=pending');
    await page.getByRole('button', { name: 'Revoke invitation for revoked@example.com' }).press('Enter');
    await expectLayout(page, 'invitation-revoke');
    await confirm(page, 'Revoke');
    await page.getByText('Invitation for revoked@example.com revoked.').waitFor();
    await page.getByText('No invitations match your filters').waitFor();
  });
});

test('the workspaces of a manager that cannot be loaded are loaded when the list is opened', async () => {
  const manager = await viewer(portal, 'max@example.com', { Sales: 'manager' });
  const page = await portal.as(manager, '/health');
  const managed = '**/api/workspaces?*limit=1000*';
  await fails(page, managed);
  await page.goto(`${portal.url}/invitations?new=yes`);
  const dialog = page.getByRole('dialog', { name: 'Invite user' });
  await dialog.getByText('The database is temporarily unavailable').first().waitFor();
  await page.unroute(managed);
  const workspace = dialog.getByRole('combobox', { name: 'Workspace', exact: true });
  await workspace.press('Tab');
  await workspace.click();
  await page.getByRole('option', { name: 'Sales' }).waitFor();
});

test.each<Width>(['phone', 'desktop'])('all open invitations are resent (%s)', async (width) => {
  const email = `every-${width}@example.com`;
  await invite(portal, email);
  const older = await linkFor(portal, email);
  // An invitation of the last minute keeps its link.
  const earlier = `UPDATE invitations SET mailed_at = mailed_at - interval '1 hour' WHERE email = $1`;
  await inDatabase(portal.started.dataDir, (query) => query(earlier, [email]));
  const page = await portal.as(portal.admin, '/invitations', width);
  await page.getByRole('button', { name: 'Resend all' }).click();
  const dialog = page.getByRole('dialog', { name: 'Resend all open invitations?' });
  await dialog.getByText('Previous links stop working.').waitFor();
  await expectLayout(page, `invitations-resend-${width}`);
  await dialog.getByRole('button', { name: 'Resend all' }).click();
  await page.getByText(/^Sending (a|\d+) new invitations?\.$/).waitFor();
  await dialog.waitFor({ state: 'detached' });
  await until(async () => (await linkFor(portal, email)) !== older);
});

test('a limit that ends the resending of all invitations is shown', async () => {
  await invite(portal, 'limited@example.com');
  const page = await portal.as(portal.admin, '/invitations');
  let requests = 0;
  await page.route('**/api/invitations/resend', (route) => {
    const problem = { code: 'rate_limited', detail: 'You have reached your limit for emails.' };
    const invitation = { status: 'pending', delivery: 'queued' };
    const sent = Array.from({ length: 3 }, (_, index) => ({ email: `${index}@example.com`, invitation }));
    const results = (requests += 1) === 1 ? sent : [...sent, { email: 'last@example.com', problem }];
    return route.fulfill({ json: { results } });
  });
  await page.getByRole('button', { name: 'Resend all' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Resend all' }).click();
  await page.getByText('Sending 6 new invitations. You have reached your limit for emails.').waitFor();
});

test('resending all invitations continues when the filtered list becomes empty', async () => {
  await invite(portal, 'filtered@example.com');
  const page = await portal.as(portal.admin, '/invitations?status=pending');
  await page.clock.install();
  const results = [{ email: 'filtered@example.com', invitation: { status: 'pending', delivery: 'queued' } }];
  const released = Promise.withResolvers<void>();
  let requests = 0;
  await page.route('**/api/invitations/resend', async (route) => {
    requests += 1;
    if (requests === 2) await released.promise;
    await route.fulfill({ json: { results: requests === 3 ? [] : results } });
  });
  await page.getByRole('button', { name: 'Resend all' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Resend all' }).click();
  await until(() => requests === 2);
  await page.route('**/api/invitations?*', (route) =>
    route.fulfill({ json: { invitations: [], next_cursor: null, count: 0 } }),
  );
  await returnToTab(page);
  await page.getByText('No invitations match your filters').waitFor();
  released.resolve();
  await page.getByText('Sending 2 new invitations.').waitFor();
  expect(requests).toBe(3);
});

test('resending all invitations continues with the time of the first request, and ends at Cancel', async () => {
  await invite(portal, 'endless@example.com');
  const page = await portal.as(portal.admin, '/invitations');
  const invitation = { status: 'pending', delivery: 'queued' };
  const results = [{ email: 'endless@example.com', invitation }];
  const bodies: unknown[] = [];
  let release: () => void = () => undefined;
  const isReleased = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route('**/api/invitations/resend', async (route) => {
    bodies.push(route.request().postDataJSON());
    if (bodies.length === 2) await isReleased;
    await route.fulfill({ json: { results, mailed_before: '2026-11-21T08:00:00.000Z' } });
  });
  await page.getByRole('button', { name: 'Resend all' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Resend all' }).click();
  await until(() => bodies.length === 2);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await dialog.waitFor({ state: 'detached' });
  release();
  await page.getByText('Sending 2 new invitations.').waitFor();
  expect(bodies).toEqual([{}, { mailed_before: '2026-11-21T08:00:00.000Z' }]);
});

describe('without a mail server', () => {
  const unsent = 'No email was sent: no mail server is configured.';
  let manager: Awaited<ReturnType<typeof viewer>>;

  beforeAll(async () => {
    manager = await viewer(portal, 'mia@example.com', { Sales: 'manager' });
  });

  /** The service sends no email, and returns a link to admins only. */
  async function open(path: string, person = manager): Promise<Page> {
    const page = await portal.as(person, '/health');
    await page.route('**', async (route) => {
      const request = route.request();
      const isChanged = request.resourceType() === 'document' || /\/(invite|bulk)$/.test(request.url());
      if (!isChanged) return route.fallback();
      const response = await route.fetch();
      const body = (await response.text())
        .replace('"mailConfigured":true', '"mailConfigured":false')
        .replaceAll(/"delivery":"\w+"/g, '"delivery":"not_configured"');
      return route.fulfill({ response, body });
    });
    await page.goto(`${portal.url}${path}`);
    return page;
  }

  test('a manager reads who can share the link, and cannot replace one that an admin shared', async () => {
    await invite(portal, 'handed-over@example.com');
    const page = await open('/invitations?new=yes');
    const dialog = page.getByRole('dialog', { name: 'Invite user' });
    await dialog.getByLabel(/^Email/).fill('unsent@example.com');
    await pick(dialog, 'Workspace', 'Sales', page);
    await dialog.getByRole('button', { name: 'Invite', exact: true }).click();
    await dialog.getByText(unsent).waitFor();
    await expectLayout(page, 'invited-unsent');
    await dialog.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('button', { name: 'Revoke invitation for handed-over@example.com' }).waitFor();
    expect(await page.getByRole('button', { name: /^Resend/ }).count()).toBe(0);
  });

  test('an admin is not told that a user who has an account is notified', async () => {
    const { email } = await viewer(portal, 'has-account@example.com');
    const page = await open('/invitations?new=yes', portal.admin);
    const dialog = page.getByRole('dialog', { name: 'Invite user' });
    await dialog.getByLabel(/^Email/).fill(email);
    await dialog.getByRole('button', { name: 'Add workspace' }).click();
    await pick(dialog, 'Workspace', 'Sales', page);
    await dialog.getByRole('button', { name: 'Invite', exact: true }).click();
    await dialog.getByText('This user already has an account and can use the access now.').waitFor();
    expect(await dialog.getByText('notified by email').count()).toBe(0);
  });

  test('a manager reads it after sharing a report and after a bulk invitation', async () => {
    const page = await open(
      `/reports/${await idOf(portal, 'reports', 'Revenue overview')}/access?tab=grants`,
    );
    await page.getByRole('button', { name: 'Share' }).click();
    await pick(page.getByRole('dialog'), 'Users and groups', 'unsent-share@example.com', page);
    await confirm(page, 'Grant access');
    await page.getByText(unsent).waitFor();
    await page.goto(`${portal.url}/invitations/bulk`);
    await page
      .getByRole('textbox', { name: 'Email addresses' })
      .fill('unsent-1@example.com\nunsent-2@example.com');
    await pick(page, 'Workspace', 'Sales', page);
    await page.getByRole('button', { name: 'Invite 2 users' }).click();
    await page.getByText(unsent).waitFor();
  });
});
