import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { confirm, failsOnce, pick } from './admin.js';
import { expectLayout } from './looks.js';
import { asAdmin } from './people.js';
import { Portal, type Width } from './portal.js';
import { createGroup, idOf, viewer } from './viewers.js';

let portal: Portal;

beforeAll(async () => {
  portal = await Portal.open();
}, 120_000);
afterEach(() => expect(portal.pageErrors).toEqual([]));
afterAll(() => portal.close());

const row = (page: Page, name: RegExp) => page.getByRole('row', { name });

/** Picks several members by the keyboard. */
async function chooseMembers(page: Page, ...names: string[]): Promise<void> {
  for (const name of names) await pick(page.getByRole('dialog'), 'Users and groups', name, page);
}

describe('the list of groups', () => {
  test('is empty at first, and a group is created by the keyboard', async () => {
    const page = await portal.as(portal.admin, '/groups');
    await page.getByRole('heading', { name: 'No groups yet' }).waitFor();
    await expectLayout(page, 'groups-none');
    await page.getByRole('button', { name: 'New group' }).press('Enter');
    const dialog = page.getByRole('dialog', { name: 'New group' });
    await dialog.getByLabel(/^Name/).fill('Controllers');
    await dialog.getByLabel(/^Description/).fill('Monthly closing');
    await expectLayout(page, 'group-new');
    await dialog.getByLabel(/^Name/).press('Enter');
    await page.getByRole('heading', { name: 'Controllers', level: 1 }).waitFor();
    await page.getByText('Monthly closing').waitFor();
    await page.getByRole('heading', { name: 'This group has no members yet' }).waitFor();
    await expectLayout(page, 'group-none');
  });

  test.each<Width>(['phone', 'desktop'])('shows size and source, and is searched (%s)', async (width) => {
    await createGroup(portal, `Searched ${width}`);
    const page = await portal.as(portal.admin, '/groups', width);
    await row(page, new RegExp(`Searched ${width}.*Manual`)).waitFor();
    await expectLayout(page, `groups-${width}`);
    await page.getByRole('searchbox', { name: 'Search groups' }).fill('no such group');
    await page.getByText('No groups match your search').waitFor();
  });

  test('a name in use is refused, and the dialog keeps the input', async () => {
    await createGroup(portal, 'Taken');
    const page = await portal.as(portal.admin, '/groups?new=yes');
    const dialog = page.getByRole('dialog', { name: 'New group' });
    await dialog.getByLabel(/^Name/).fill('taken');
    await dialog.getByRole('button', { name: 'Create group' }).click();
    await dialog.getByText('Another group has this name').waitFor();
    expect(await dialog.getByLabel(/^Name/).inputValue()).toBe('taken');
  });

  test('that cannot be loaded can be retried', async () => {
    const page = await portal.as(portal.admin, '/users');
    await failsOnce(page, '**/api/groups?*', () =>
      page.getByRole('link', { name: 'Groups', exact: true }).click(),
    );
    await page.getByRole('button', { name: 'New group' }).waitFor();
  });

  test('is for admins only', async () => {
    const page = await portal.as(await viewer(portal, 'reader@example.com', { Sales: 'manager' }), '/groups');
    await page.getByRole('heading', { name: 'Only administrators can view this page' }).waitFor();
    expect(await page.getByRole('link', { name: 'Groups', exact: true }).count()).toBe(0);
  });
});

describe('the members of a group', () => {
  test.each<Width>(['phone', 'desktop'])(
    'are added, shown with their path, and removed (%s)',
    async (width) => {
      const inner = `Inner ${width}`;
      const ina = await viewer(portal, `ina-${width}@example.com`);
      const otto = await viewer(portal, `otto-${width}@example.com`);
      await createGroup(portal, inner, [ina.email]);
      const id = await createGroup(portal, `Outer ${width}`);
      const page = await portal.as(portal.admin, `/groups/${id}`, width);
      await page.getByRole('button', { name: 'Add members' }).click();
      await chooseMembers(page, otto.email, inner);
      await expectLayout(page, `group-add-members-${width}`);
      await confirm(page, 'Add members');
      await page.getByText(`Added 2 members to Outer ${width}.`).waitFor();
      await row(page, new RegExp(`${inner} Group`)).waitFor();
      await row(page, new RegExp(otto.email)).waitFor();
      expect(await row(page, new RegExp(ina.email)).count()).toBe(0);
      await page.getByText('2 members', { exact: true }).waitFor();
      await page.getByText('All members', { exact: true }).click();
      await row(page, new RegExp(`${ina.email} ${inner}`)).waitFor();
      await row(page, new RegExp(`${otto.email} Direct`)).waitFor();
      await expectLayout(page, `group-effective-${width}`);
      await page.reload();
      await row(page, new RegExp(`${ina.email} ${inner}`)).waitFor();
      await page.getByText('Direct members', { exact: true }).click();
      await page.getByRole('button', { name: `Remove ${inner}` }).click();
      await page.getByText('Its members lose access').waitFor();
      await confirm(page, 'Remove');
      await row(page, new RegExp(inner)).waitFor({ state: 'detached' });
      await page.getByText('1 member', { exact: true }).waitFor();
    },
  );

  test('a text that was not selected stays in the field and is not submitted', async () => {
    const group = await createGroup(portal, 'Typed');
    await createGroup(portal, 'Selected');
    const page = await portal.as(portal.admin, `/groups/${group}`);
    await page.getByRole('button', { name: 'Add members' }).click();
    await chooseMembers(page, 'Selected');
    const field = page.getByRole('combobox', { name: 'Users and groups' });
    await field.fill('somewhere');
    // The list covers the button.
    await field.press('Tab');
    await confirm(page, 'Add members');
    await field.and(page.locator(':focus:invalid')).waitFor();
    expect(await field.inputValue()).toBe('somewhere');
    await field.fill('');
    await field.press('Tab');
    await confirm(page, 'Add members');
    await page.getByText('Added Selected to Typed.').waitFor();
  });

  test('a group that would contain itself is refused', async () => {
    const outer = await createGroup(portal, 'Ring outer');
    const inner = await createGroup(portal, 'Ring inner');
    await asAdmin(portal, 'PUT', `/api/groups/${outer}/members/groups/${inner}`);
    const page = await portal.as(portal.admin, `/groups/${inner}`);
    await page.getByRole('button', { name: 'Add members' }).click();
    await chooseMembers(page, 'Ring outer');
    await confirm(page, 'Add members');
    await page.getByRole('dialog').getByText('A group cannot contain itself').waitFor();
  });
});

test('the access of a group is shown with its path, granted and removed', async () => {
  const [inner, outer] = [await createGroup(portal, 'Granted'), await createGroup(portal, 'Around it')];
  await asAdmin(portal, 'PUT', `/api/groups/${outer}/members/groups/${inner}`);
  const sales = await idOf(portal, 'workspaces', 'Sales');
  await asAdmin(portal, 'PUT', `/api/workspaces/${sales}/grants/groups/${outer}`, { role: 'viewer' });
  const page = await portal.as(portal.admin, `/groups/${inner}`);
  await page.getByRole('tab', { name: 'Access' }).click();
  await row(page, /^Sales Viewer Around it Manual Never/).waitFor();
  await page.getByRole('button', { name: 'Grant workspace access' }).click();
  await pick(page.getByRole('dialog'), 'Workspace', 'Finance', page);
  await confirm(page, 'Grant access');
  await row(page, /^Finance Viewer Direct Manual Never/).waitFor();
  await expectLayout(page, 'group-access');
  expect(await page.getByRole('button', { name: 'Remove Sales' }).count()).toBe(0);
  await page.getByRole('button', { name: 'Remove Finance' }).click();
  await confirm(page, 'Remove');
  await row(page, /^Finance/).waitFor({ state: 'detached' });
});

test('a new name keeps the description that another admin has given since', async () => {
  const id = await createGroup(portal, 'Described');
  const page = await portal.as(portal.admin, `/groups/${id}`);
  await page.getByRole('button', { name: 'Edit' }).click();
  await page.getByRole('dialog').getByLabel(/^Name/).fill('Described anew');
  await asAdmin(portal, 'PATCH', `/api/groups/${id}`, { description: 'Of the other admin' });
  await confirm(page, 'Save');
  await page.getByRole('heading', { name: 'Described anew', level: 1 }).waitFor();
  await page.getByText('Of the other admin').waitFor();
});

test('a group is renamed and deleted', async () => {
  const page = await portal.as(portal.admin, `/groups/${await createGroup(portal, 'Temporary')}`);
  await page.getByRole('button', { name: 'Edit' }).click();
  await page.getByRole('dialog').getByLabel(/^Name/).fill('Renamed');
  await confirm(page, 'Save');
  await page.getByRole('heading', { name: 'Renamed', level: 1 }).waitFor();
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByText('lose the access that only this group grants').waitFor();
  await expectLayout(page, 'group-delete');
  await confirm(page, 'Delete group');
  await page.getByText('Group Renamed deleted.').waitFor();
  await page.getByRole('heading', { name: 'Groups', level: 1 }).waitFor();
  await row(page, /Renamed/).waitFor({ state: 'detached' });
});

test('an unknown group is not found', async () => {
  const page = await portal.as(portal.admin, '/groups/01890a5d-ac96-774b-bcce-b302099a8057');
  await page.getByRole('alert').getByText('Group not found').waitFor();
});
