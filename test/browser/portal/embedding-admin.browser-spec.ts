import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { confirm, failsOnce, pick } from './admin.js';
import { expectLayout } from './looks.js';
import { asAdmin, member } from './people.js';
import { Portal, type Width } from './portal.js';
import { PowerBi } from './power-bi.js';
import { idOf, viewer } from './viewers.js';

let portal: Portal;
let mina: { email: string; password: string };

beforeAll(async () => {
  portal = await Portal.open();
  mina = await member(portal, 'mina@example.com');
}, 120_000);
afterEach(() => expect(portal.pageErrors).toEqual([]));
afterAll(() => portal.close());

/** Has somebody open a report of Sales; gives its id. */
async function opened(name: string): Promise<string> {
  const id = await idOf(portal, 'reports', name);
  const signedIn = await portal.started.post('/api/auth/token', mina);
  const { access_token } = (await signedIn.json()) as { access_token: string };
  await portal.started.post(`/api/reports/${id}/embed-token`, {}, access_token);
  return id;
}

const pickMina = async (page: Page): Promise<void> => {
  await page.getByRole('combobox', { name: 'User' }).fill('mina');
  await page.getByRole('option').first().filter({ hasText: 'Mina Member' }).click();
};

describe('the embed check', () => {
  test.each<Width>(['phone', 'desktop'])('checks what a report requires (%s)', async (width) => {
    const page = await portal.as(portal.admin, '/embedding', width);
    await page.getByRole('heading', { name: 'Select a report' }).waitFor();
    await pick(page, 'Report', 'Revenue overview', page);
    await pickMina(page);
    await page.getByText('Report can be embedded').waitFor();
    await page.getByText('Workspace access: Passed').waitFor();
    await expectLayout(page, `embed-check-${width}`);
    await page.reload();
    await page.getByText('Report can be embedded').waitFor();
  });

  test('is shown for a tab that does not exist', async () => {
    const page = await portal.as(portal.admin, '/embedding?tab=anything');
    await page.getByRole('heading', { name: 'Select a report' }).waitFor();
    await page.getByRole('tab', { name: 'Check', selected: true }).waitFor();
  });

  test('shows what fails, and where to fix it', async () => {
    const powerBi = new PowerBi(portal);
    await powerBi.capacities('Suspended');
    const page = await portal.as(portal.admin, '/embedding');
    await pick(page, 'Report', 'Cash flow', page);
    await pickMina(page);
    await page.getByText('Report can’t be embedded').waitFor();
    await expectLayout(page, 'embed-check-failed');
    await powerBi.capacities('Active');
    await page.getByRole('link', { name: 'View user' }).press('Enter');
    await page.getByRole('heading', { name: 'Mina Member', level: 1 }).waitFor();
  });

  test('is available to a manager for the members of their workspaces', async () => {
    const manager = await viewer(portal, 'mia@example.com', { Sales: 'manager' });
    const page = await portal.as(manager, '/embedding');
    await page.getByText('Embed diagnostics', { exact: true }).waitFor();
    await pick(page, 'Report', 'Pipeline', page);
    await pickMina(page);
    await page.getByText('Report can be embedded').waitFor();
    expect(await page.getByRole('tab').count()).toBe(0);
    const member = await portal.as(mina, '/embedding');
    await member.getByText('Only administrators and managers of a workspace can view this page').waitFor();
  });
});

describe('issued tokens', () => {
  test.each<Width>(['phone', 'desktop'])('are listed and filtered (%s)', async (width) => {
    await opened('Product mix');
    const page = await portal.as(portal.admin, '/embedding', width);
    await page.getByRole('tab', { name: 'Issued tokens' }).click();
    await page
      .getByRole('row', { name: /Mina Member Product mix View/ })
      .first()
      .waitFor();
    await page.getByRole('columnheader', { name: 'Identity sent' }).waitFor();
    await expectLayout(page, `embed-tokens-${width}`);
    await page.getByRole('combobox', { name: 'Status' }).click();
    await page.getByRole('option', { name: 'Expired' }).click();
    await page.getByText('No tokens match your filters').waitFor();
    await page.getByRole('button', { name: 'Block embedding…' }).waitFor();
  });

  test('of a service account lead to its page', async () => {
    const created = await asAdmin(portal, 'POST', '/api/service-accounts', { name: 'Loader' });
    const { id, client_secret } = (await created.json()) as { id: string; client_secret: string };
    const sales = await idOf(portal, 'workspaces', 'Sales');
    await asAdmin(portal, 'PUT', `/api/workspaces/${sales}/grants/users/${id}`, { role: 'viewer' });
    const grant = { grant_type: 'client_credentials', client_id: id, client_secret };
    const { access_token } = (await (await portal.started.post('/api/auth/token', grant)).json()) as {
      access_token: string;
    };
    const report = await idOf(portal, 'reports', 'Product mix');
    const issued = await portal.started.post(`/api/reports/${report}/embed-token`, {}, access_token);
    expect(issued.status).toBe(200);
    const page = await portal.as(portal.admin, '/embedding?tab=tokens');
    await page.getByRole('link', { name: 'Loader' }).click();
    await page.getByRole('heading', { name: 'Loader', level: 1 }).waitFor();
  });

  test('that expire while the page is open are shown as expired', async () => {
    await opened('Pipeline');
    const page = await portal.as(portal.admin, '/health');
    await page.clock.install();
    await page.goto(`${portal.url}/embedding?tab=tokens`);
    const pipeline = page.getByRole('row', { name: /Mina Member Pipeline/ }).first();
    await pipeline.getByText('Active', { exact: true }).waitFor();
    await page.clock.fastForward('02:00:00');
    await pipeline.getByText('Expired', { exact: true }).waitFor();
  });

  test('that cannot be loaded can be retried', async () => {
    const page = await portal.as(portal.admin, '/embedding');
    const go = () => page.getByRole('tab', { name: 'Issued tokens' }).click();
    await failsOnce(page, '**/api/embed-grants?*', go);
    await page.getByRole('row').nth(1).waitFor();
  });
});

describe('the names of users', () => {
  test('are those after a change', async () => {
    await opened('Pipeline');
    const page = await portal.as(portal.admin, '/embedding?tab=tokens');
    await page.getByRole('link', { name: 'Mina Member' }).first().click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Mina Married');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('heading', { name: 'Mina Married', level: 1 }).waitFor();
    await page.goBack();
    await page.getByRole('link', { name: 'Mina Married' }).first().waitFor();
  });
});

describe('blocks', () => {
  test.each<Width>(['phone', 'desktop'])('are created, listed and removed (%s)', async (width) => {
    const report = await opened('Pipeline');
    const page = await portal.as(portal.admin, '/embedding?tab=revocations', width);
    await page.getByRole('heading', { name: 'No blocks' }).waitFor();
    await page.getByRole('button', { name: 'Block embedding' }).click();
    const dialog = page.getByRole('dialog', { name: 'Block embedding' });
    await dialog.getByRole('button', { name: 'Block', exact: true }).click();
    await dialog.getByText('Select a user, a report or a workspace').waitFor();
    await pick(dialog, 'Report', 'Pipeline', page);
    await dialog.getByLabel('Reason').fill('Wrong figures');
    await expectLayout(page, `revoke-${width}`);
    await dialog.getByRole('button', { name: 'Block', exact: true }).click();
    await dialog.getByText(/can still be used until/).waitFor();
    await dialog.getByRole('button', { name: 'Done' }).press('Enter');
    await page.getByRole('row', { name: /All users, Pipeline Wrong figures Administrator/ }).waitFor();
    await expectLayout(page, `revocations-${width}`);
    const refused = await portal.as(mina, `/reports/${report}`);
    await refused.getByText('Access to this report is blocked').waitFor();
    await page.getByRole('button', { name: /^Remove block of/ }).click();
    await confirm(page, 'Remove block');
    await page.getByRole('heading', { name: 'No blocks' }).waitFor();
  });
});

test.each([
  [403, 'Unknown'],
  [404, 'Deleted'],
])('a name whose request ends with %s is shown as %s', async (status, text) => {
  await opened('Pipeline');
  const page = await portal.as(portal.admin, '/health');
  const problem = { status, code: 'refused', title: '', detail: '', request_id: 'request-1' };
  await page.route(/\/api\/(users|service-accounts)(\?|\/(?!me))/, (route) =>
    route.fulfill({ status, json: problem }),
  );
  await page.goto(`${portal.url}/embedding?tab=tokens`);
  await page.getByRole('row').nth(1).getByRole('link', { name: text, exact: true }).waitFor();
});
