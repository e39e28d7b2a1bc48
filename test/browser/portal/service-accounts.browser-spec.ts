import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { confirm, failsOnce, pick, section } from './admin.js';
import { expectLayout } from './looks.js';
import { asAdmin } from './people.js';
import { Portal, type Width } from './portal.js';
import { idOf } from './viewers.js';

let portal: Portal;

beforeAll(async () => {
  portal = await Portal.open();
}, 120_000);
afterEach(() => expect(portal.pageErrors).toEqual([]));
afterAll(() => portal.close());

/** As the admin, at the page of a new account. */
async function openAccount(name: string, width?: Width): Promise<Page> {
  const response = await asAdmin(portal, 'POST', '/api/service-accounts', { name });
  const { id } = (await response.json()) as { id: string };
  const page = await portal.as(portal.admin, `/service-accounts/${id}`, width);
  await page.getByRole('heading', { name, level: 1 }).waitFor();
  return page;
}

/** What a program gets for its secret. */
const tokenFor = (client_id: string, client_secret: string): Promise<Response> =>
  portal.started.post('/api/auth/token', { grant_type: 'client_credentials', client_id, client_secret });

test.each<Width>(['phone', 'desktop'])(
  'an account is created, and its secret is shown once (%s)',
  async (width) => {
    const page = await portal.as(portal.admin, '/service-accounts', width);
    await page.getByRole('button', { name: 'New service account' }).click();
    const dialog = page.getByRole('dialog', { name: 'New service account' });
    await dialog.getByLabel(/^Name/).fill(`Nightly export ${width}`);
    await dialog.getByLabel(/^Expires in/).fill('20');
    await expectLayout(page, `account-new-${width}`);
    await dialog.getByLabel(/^Name/).press('Enter');
    await dialog.getByText("You won't be able to see it again").waitFor();
    const [id, secret] = [dialog.getByLabel('Client ID'), dialog.getByLabel('Client secret')];
    expect((await tokenFor(await id.inputValue(), await secret.inputValue())).status).toBe(200);
    await expectLayout(page, `account-secret-${width}`);
    await dialog.getByRole('button', { name: 'Done' }).press('Enter');
    await page.getByRole('heading', { name: `Nightly export ${width}`, level: 1 }).waitFor();
    await section(page, 'Secrets').getByText('Last secret expires in 20 days').waitFor();
    await section(page, 'Secrets').getByRole('cell', { name: 'by you' }).waitFor();
    await expectLayout(page, `service-account-${width}`);
    await page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('link').click();
    await page.getByRole('row', { name: new RegExp(`${width} Member Active Last secret expires`) }).waitFor();
    await expectLayout(page, `service-accounts-${width}`);
  },
);

test('an account has no email address: its request for access names its kind, and it has no page of a user', async () => {
  const response = await asAdmin(portal, 'POST', '/api/service-accounts', { name: 'Requester' });
  const account = (await response.json()) as { id: string; client_secret: string };
  const { access_token } = (await (await tokenFor(account.id, account.client_secret)).json()) as {
    access_token: string;
  };
  const workspace_id = await idOf(portal, 'workspaces', 'Sales');
  await portal.started.post('/api/access-requests', { workspace_id }, access_token);
  const page = await portal.as(portal.admin, '/access-requests');
  await page.getByRole('row', { name: /^Requester Service account/ }).waitFor();
  await page.goto(`${portal.url}/users/${account.id}`);
  await page.getByRole('heading', { name: 'Requester', level: 1 }).waitFor();
  await page.waitForURL((url) => url.pathname === `/service-accounts/${account.id}`);
});

test('a secret is rotated: a second one is added, then the first is revoked', async () => {
  const page = await openAccount('Rotating');
  const secrets = section(page, 'Secrets');
  await secrets.getByRole('button', { name: 'Add secret' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Add', exact: true }).click();
  const id = await dialog.getByLabel('Client ID').inputValue();
  const second = await dialog.getByLabel('Client secret').inputValue();
  await dialog.getByRole('button', { name: 'Done' }).click();
  await secrets.getByText('You can have up to two secrets.').waitFor();
  await expectLayout(page, 'service-account-rotates');
  await secrets.getByRole('button', { name: 'Revoke secret 1' }).press('Enter');
  await page.getByText('All sessions of the account end immediately').waitFor();
  await confirm(page, 'Revoke');
  await page.getByText('Secret revoked.').waitFor();
  await secrets.getByRole('button', { name: 'Revoke secret 2' }).waitFor({ state: 'detached' });
  expect((await tokenFor(id, second)).status).toBe(200);
  await secrets.getByRole('button', { name: 'Revoke secret 1' }).click();
  await page.getByText('This is the only secret').waitFor();
  await confirm(page, 'Revoke');
  await secrets.getByText("No secret, can't sign in").waitFor();
  expect((await tokenFor(id, second)).status).toBe(401);
});

test('name, attributes, access and status can be changed, and Check access follows', async () => {
  const page = await openAccount('Loader');
  await section(page, 'Name and role').getByRole('textbox', { name: 'Name' }).fill('Loader of figures');
  await section(page, 'Name and role').getByRole('button', { name: 'Save' }).click();
  await page.getByRole('heading', { name: 'Loader of figures', level: 1 }).waitFor();
  await page.getByRole('button', { name: 'Add attribute' }).click();
  await page.getByLabel('Name of attribute 1').fill('region');
  await page.getByLabel('Value of attribute 1').fill('Europe');
  await page.getByLabel('Value of attribute 1').press('Enter');
  await page.getByText('Attributes saved.').waitFor();
  await page.getByRole('button', { name: 'Grant workspace access' }).click();
  await pick(page.getByRole('dialog'), 'Workspace', 'Sales', page);
  await confirm(page, 'Grant access');
  await page.getByRole('row', { name: /Sales Viewer Direct Manual/ }).waitFor();
  await pick(section(page, 'Check access'), 'Report', 'Pipeline', page);
  await page.getByText('Loader of figures can view this report').waitFor();
  await page.getByRole('button', { name: 'Disable', exact: true }).click();
  await confirm(page, 'Disable');
  await section(page, 'Check access').getByText('The account is disabled.').waitFor();
});

test('a new name keeps the role that another admin has given since', async () => {
  const page = await openAccount('Promoted');
  const path = `/api${new URL(page.url()).pathname}`;
  await asAdmin(portal, 'PATCH', path, { role: 'admin' });
  await section(page, 'Name and role').getByRole('textbox', { name: 'Name' }).fill('Promoted loader');
  await section(page, 'Name and role').getByRole('button', { name: 'Save' }).click();
  await page.getByText('Changes saved.').waitFor();
  expect(await (await asAdmin(portal, 'GET', path)).json()).toMatchObject({
    name: 'Promoted loader',
    role: 'admin',
  });
});

test('an account is disabled, enabled and deleted', async () => {
  const page = await openAccount('Ending');
  await page.getByRole('button', { name: 'Disable', exact: true }).click();
  await confirm(page, 'Disable');
  await page.getByText('Ending was disabled.').waitFor();
  await page.getByRole('button', { name: 'Enable', exact: true }).click();
  await page.getByText('Ending was enabled.').waitFor();
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await expectLayout(page, 'service-account-delete');
  await confirm(page, 'Delete permanently');
  await page.waitForURL('**/service-accounts');
  await page.getByText('Ending was deleted.').waitFor();
});

test('the list can be searched; an empty search result, an empty list and a failure differ', async () => {
  await openAccount('Needle');
  const page = await portal.as(portal.admin, '/service-accounts?q=needle');
  await page.getByRole('link', { name: 'Needle' }).waitFor();
  await page.getByRole('searchbox').fill('haystack');
  await page.getByText('No service accounts match your filters').waitFor();
  await page.getByRole('link', { name: 'Groups' }).click();
  await page.route('**/api/service-accounts?*', (route) => route.fulfill({ json: { service_accounts: [] } }));
  await page.getByRole('link', { name: 'Service accounts' }).click();
  await page.getByText('No service accounts yet').waitFor();
  await page.goto(`${portal.url}/service-accounts/01890a5d-ac96-774b-bcce-b302099a8057`);
  await page.getByRole('alert').getByText('Service account not found').waitFor();
  await page.unroute('**/api/service-accounts?*');
  const go = () => page.getByRole('link', { name: 'Service accounts' }).first().click();
  await failsOnce(page, '**/api/service-accounts?*', go);
  await page.getByRole('link', { name: 'Needle' }).waitFor();
});
