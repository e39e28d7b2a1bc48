import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { fails, pathOfUser, section } from './admin.js';
import { expectLayout } from './looks.js';
import { asAdmin, member } from './people.js';
import { Portal, type Width } from './portal.js';

let portal: Portal;

beforeAll(async () => {
  portal = await Portal.open();
}, 120_000);
afterEach(() => expect(portal.pageErrors).toEqual([]));
afterAll(() => portal.close());

const scim = (token: string, method: string, path: string, body?: object): Promise<Response> =>
  fetch(`${portal.url}/scim/v2${path}`, {
    method,
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/scim+json' },
    body: body && JSON.stringify(body),
  });

const user = (userName: string) => ({
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
  userName,
  displayName: 'Sam Synced',
  name: { givenName: 'Sam', familyName: 'Synced' },
  emails: [{ value: userName, type: 'work', primary: true }],
  active: true,
});

test.each<Width>(['phone', 'desktop'])(
  'a token is created, shown once, and provisions a user and a group (%s)',
  async (width) => {
    const page = await portal.as(portal.admin, '/settings/provisioning', width);
    const url = await section(page, 'Connection').getByLabel('SCIM base URL').inputValue();
    expect(url).toBe(`${portal.url}/scim/v2`);
    await page.getByRole('button', { name: 'New provisioning token' }).press('Enter');
    const dialog = page.getByRole('dialog', { name: 'New provisioning token' });
    await dialog.getByLabel(/^Name/).fill(`Entra ${width}`);
    await dialog.getByLabel(/^Expires in/).fill('90');
    await expectLayout(page, `provisioning-new-${width}`);
    await dialog.getByLabel(/^Name/).press('Enter');
    const token = await dialog.getByLabel('Token', { exact: true }).inputValue();
    await expectLayout(page, `provisioning-token-${width}`);
    await page.keyboard.press('Escape');
    const question = page.getByRole('dialog', { name: 'Discard this secret?' });
    await question.getByRole('button', { name: 'Cancel' }).click();
    await dialog.getByRole('button', { name: 'Done' }).press('Enter');
    await page.getByRole('row', { name: new RegExp(`Entra ${width} 1 secret Active Never Never`) }).waitFor();

    const email = `sam-${width}@example.com`;
    const created = await scim(token, 'POST', '/Users', user(email));
    expect(created.status).toBe(201);
    const { id } = (await created.json()) as { id: string };
    const schemas = ['urn:ietf:params:scim:schemas:core:2.0:Group'];
    const group = { schemas, displayName: `Synced ${width}`, members: [{ value: id }] };
    expect((await scim(token, 'POST', '/Groups', group)).status).toBe(201);

    await page.reload();
    await page
      .getByRole('row', { name: new RegExp(`Entra ${width} 1 secret Active (?!Never Never)`) })
      .waitFor();
    await page.getByRole('row', { name: /^SCIM [1-9] [1-9]$/ }).waitFor();
    await expectLayout(page, `provisioning-${width}`);

    await page.goto(`${portal.url}${await pathOfUser(portal, email)}`);
    await page.getByText('Managed by your identity provider').first().waitFor();
    expect(await section(page, 'Name and role').getByLabel('Name').isDisabled()).toBe(true);
    expect(await section(page, 'Email address').getByRole('textbox').isDisabled()).toBe(true);
    expect(await page.getByRole('button', { name: 'Disable', exact: true }).isDisabled()).toBe(true);
    await expectLayout(page, `provisioned-user-${width}`);
    await page.goto(`${portal.url}/groups?q=Synced`);
    await page.getByRole('link', { name: `Synced ${width}` }).click();
    await page.getByText('Managed by your identity provider').waitFor();
    expect(await page.getByRole('button', { name: 'Add members' }).count()).toBe(0);
  },
);

test('is for administrators', async () => {
  const page = await portal.as(await member(portal, 'provision@example.com'), '/settings/provisioning');
  await page.getByText('Only administrators can view this page').waitFor();
});

test('a last change that cannot be loaded is unknown', async () => {
  await asAdmin(portal, 'POST', '/api/service-accounts', { name: 'Entra unknown', scopes: ['scim'] });
  const page = await portal.as(portal.admin, '/health');
  await fails(page, '**/api/audit-events?*');
  await page.goto(`${portal.url}/settings/provisioning`);
  await page.getByRole('row', { name: /^Entra unknown .* Never Unknown/ }).waitFor();
});
