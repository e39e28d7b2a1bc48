import { isDeepStrictEqual } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { confirm, failsOnce, pathOfUser, section } from './admin.js';
import { expectLayout } from './looks.js';
import { mailTo } from './mail.js';
import { asAdmin, member } from './people.js';
import { Portal, type Width } from './portal.js';
import { until } from '../../support/until.js';

let portal: Portal;

beforeAll(async () => {
  portal = await Portal.open();
}, 120_000);
afterEach(() => expect(portal.pageErrors).toEqual([]));
afterAll(() => portal.close());

/** As the admin, at the page of somebody who was invited and came. */
async function openMember(email: string, width?: Width): Promise<Page> {
  await member(portal, email);
  const page = await portal.as(portal.admin, await pathOfUser(portal, email), width);
  await page.getByRole('heading', { name: 'Mina Member', level: 1 }).waitFor();
  return page;
}

const toast = (page: Page, text: string) => page.getByText(text).waitFor();

/** Clicks the button; the request of the change gets its response after `meanwhile`. */
async function saveSlowly(page: Page, button: Locator, meanwhile: () => Promise<void>): Promise<void> {
  const sent = Promise.withResolvers<void>();
  const done = Promise.withResolvers<void>();
  await page.route('**/api/users/*', async (route) => {
    if (route.request().method() !== 'PATCH') return route.fallback();
    sent.resolve();
    await done.promise;
    return route.fallback();
  });
  await button.click();
  await sent.promise;
  await meanwhile();
  done.resolve();
}

test.each<Width>(['phone', 'desktop'])('the page of a user (%s)', async (width) => {
  const page = await openMember(`page-${width}@example.com`, width);
  await section(page, 'Attributes').getByText('No attributes').waitFor();
  await expectLayout(page, `user-${width}`);
  await section(page, 'Delete user').scrollIntoViewIfNeeded();
  await expectLayout(page, `user-below-${width}`);
});

test.each<Width>(['phone', 'desktop'])('View as lists what the user sees (%s)', async (width) => {
  const page = await openMember(`seen-${width}@example.com`, width);
  await page.getByRole('link', { name: 'View as' }).click();
  await page.getByRole('heading', { name: 'View as Mina Member', level: 1 }).waitFor();
  const workspaces = section(page, 'Workspaces').getByRole('row');
  await workspaces.getByRole('link', { name: 'Sales' }).waitFor();
  // The first row is the heading.
  expect(await workspaces.count()).toBe(2);
  const count = await workspaces.nth(1).getByRole('cell').nth(1).innerText();
  const reports = section(page, 'Reports').getByRole('row');
  await reports.nth(Number(count)).waitFor();
  expect(await reports.count()).toBe(Number(count) + 1);
  await expectLayout(page, `view-as-${width}`);
});

describe('name and role', () => {
  test('can be changed', async () => {
    const page = await openMember('role@example.com');
    const save = section(page, 'Name and role').getByRole('button', { name: 'Save' });
    expect(await save.isDisabled()).toBe(true);
    await page.getByRole('textbox', { name: 'Name' }).fill('Mina Manager');
    await page.getByRole('combobox', { name: 'Role' }).click();
    await page.getByRole('option', { name: /^Admin/ }).click();
    await save.click();
    await toast(page, 'Changes saved.');
    await page.getByRole('heading', { name: 'Mina Manager', level: 1 }).waitFor();
    await page.reload();
    await page.getByRole('heading', { name: 'Mina Manager', level: 1 }).waitFor();
    expect(await page.getByRole('combobox', { name: 'Role' }).inputValue()).toBe('Admin');
  });

  test('a new name keeps the role that another admin has given since', async () => {
    const email = 'promoted@example.com';
    const page = await openMember(email);
    const path = `/api${await pathOfUser(portal, email)}`;
    await asAdmin(portal, 'PATCH', path, { role: 'admin' });
    await page.getByRole('textbox', { name: 'Name' }).fill('Mina Promoted');
    await section(page, 'Name and role').getByRole('button', { name: 'Save' }).click();
    await toast(page, 'Changes saved.');
    expect(await (await asAdmin(portal, 'GET', path)).json()).toMatchObject({
      name: 'Mina Promoted',
      role: 'admin',
    });
    expect(await page.getByRole('combobox', { name: 'Role' }).inputValue()).toBe('Admin');
  });

  test('what is typed while a change is saved is kept and can be saved', async () => {
    const page = await openMember('typing@example.com');
    const name = page.getByRole('textbox', { name: 'Name' });
    const save = section(page, 'Name and role').getByRole('button', { name: 'Save' });
    await name.fill('Mina First');
    await saveSlowly(page, save, () => name.fill('Mina Second'));
    await toast(page, 'Changes saved.');
    await page.getByRole('heading', { name: 'Mina First', level: 1 }).waitFor();
    expect(await name.inputValue()).toBe('Mina Second');
    await save.click();
    await page.getByRole('heading', { name: 'Mina Second', level: 1 }).waitFor();
  });

  test('the last admin cannot be demoted, and a demotion asks for confirmation', async () => {
    const page = await portal.as(portal.admin, await pathOfUser(portal, portal.admin.email));
    const demoted = page.getByRole('combobox', { name: 'Role' });
    await demoted.click();
    await page.getByRole('option', { name: /^Member/ }).click();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('dialog', { name: 'Remove your administrator role?' }).waitFor();
    await expectLayout(page, 'user-steps-down');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });
});

describe('the email address', () => {
  const address = (page: Page) =>
    section(page, 'Email address').getByRole('textbox', { name: 'Email', exact: false });

  test.each<Width>(['phone', 'desktop'])(
    'is changed by keyboard after a question that names the effects (%s)',
    async (width) => {
      const moved = `moved-${width}@example.com`;
      const page = await openMember(`moves-${width}@example.com`, width);
      const change = section(page, 'Email address').getByRole('button', { name: 'Change address' });
      expect(await change.isDisabled()).toBe(true);
      await address(page).fill(moved);
      await address(page).press('Enter');
      const question = page.getByRole('dialog', { name: `Change the address to ${moved}?` });
      await question.getByText(/become void\. Both addresses receive an email about the change\./).waitFor();
      await expectLayout(page, `user-address-${width}`);
      await question.getByRole('button', { name: 'Change address' }).press('Enter');
      await toast(page, `The email address is now ${moved}.`);
      expect(await change.isDisabled()).toBe(true);
      await page.reload();
      await address(page).waitFor();
      expect(await address(page).inputValue()).toBe(moved);
      for (const email of [`moves-${width}@example.com`, moved])
        await mailTo(portal, email, 'was changed on');
    },
  );

  test('is kept when another user has the new one, or the question is canceled', async () => {
    const page = await openMember('stays@example.com');
    await address(page).fill(portal.admin.email);
    await address(page).press('Enter');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await section(page, 'Email address').getByRole('button', { name: 'Change address' }).click();
    await confirm(page, 'Change address');
    await section(page, 'Email address').getByText('Another user has this email address.').waitFor();
    await expectLayout(page, 'user-address-taken');
    await page.reload();
    await address(page).waitFor();
    expect(await address(page).inputValue()).toBe('stays@example.com');
  });
});

describe('attributes', () => {
  test('are added, saved and removed', async () => {
    const page = await openMember('attributes@example.com');
    const attributes = section(page, 'Attributes');
    await attributes.getByRole('button', { name: 'Add attribute' }).click();
    await page.getByLabel('Name of attribute 1').fill('employee id');
    await page.getByLabel('Value of attribute 1').fill('4711');
    await page.getByLabel('Value of attribute 1').press('Enter');
    await attributes.getByText('letters, digits, _ and -').waitFor();
    await expectLayout(page, 'user-attributes');
    await page.getByLabel('Name of attribute 1').fill('employee_id');
    await page.getByLabel('Value of attribute 1').press('Enter');
    await toast(page, 'Attributes saved.');
    await page.reload();
    await page.getByLabel('Value of attribute 1').waitFor();
    expect(await page.getByLabel('Value of attribute 1').inputValue()).toBe('4711');
    await page.getByRole('button', { name: 'Remove attribute 1' }).click();
    await page.getByRole('button', { name: 'Save attributes' }).click();
    await toast(page, 'Attributes saved.');
    await attributes.getByText('No attributes').waitFor();
  });

  test('that are typed while others are saved are kept and can be saved', async () => {
    const page = await openMember('attributing@example.com');
    const path = `/api${new URL(page.url()).pathname}`;
    await section(page, 'Attributes').getByRole('button', { name: 'Add attribute' }).click();
    await page.getByLabel('Name of attribute 1').fill('region');
    await page.getByLabel('Value of attribute 1').fill('Europe');
    // Of another admin: the editor does not show it.
    await asAdmin(portal, 'PATCH', path, { attributes: { added: '1' } });
    const save = page.getByRole('button', { name: 'Save attributes' });
    await saveSlowly(page, save, () => page.getByLabel('Value of attribute 1').fill('Asia'));
    await toast(page, 'Attributes saved.');
    expect(await page.getByLabel('Value of attribute 1').inputValue()).toBe('Asia');
    await save.click();
    await until(async () => {
      const { attributes } = (await (await asAdmin(portal, 'GET', `${path}/attributes`)).json()) as {
        attributes: object;
      };
      return isDeepStrictEqual(attributes, { added: '1', region: 'Asia' });
    });
  });

  test('that another admin changes meanwhile are kept', async () => {
    const page = await openMember('both@example.com');
    const path = `/api${new URL(page.url()).pathname}`;
    await asAdmin(portal, 'PATCH', path, { attributes: { kept: '1', changed: '1', removed: '1' } });
    await page.reload();
    await page.getByLabel('Value of attribute 3').waitFor();
    await asAdmin(portal, 'PATCH', path, {
      attributes: { kept: '2', changed: '1', removed: '1', added: '2' },
    });
    const place = async (name: string): Promise<string> => {
      const names = page.getByLabel(/^Name of attribute/);
      const values = await Promise.all([0, 1, 2].map((index) => names.nth(index).inputValue()));
      return String(values.indexOf(name) + 1);
    };
    await page.getByLabel(`Value of attribute ${await place('changed')}`).fill('3');
    await page.getByRole('button', { name: `Remove attribute ${await place('removed')}` }).click();
    await page.getByRole('button', { name: 'Save attributes' }).click();
    await toast(page, 'Attributes saved.');
    expect(await (await asAdmin(portal, 'GET', `${path}/attributes`)).json()).toEqual({
      attributes: { kept: '2', changed: '3', added: '2' },
    });
    await page.getByLabel('Value of attribute 3').waitFor();
  });
});

describe('the status of a user', () => {
  test('can be disabled and enabled', async () => {
    const page = await openMember('out@example.com');
    await section(page, 'Disable user').getByRole('button', { name: 'Disable' }).click();
    await expectLayout(page, 'user-disable');
    await confirm(page, 'Disable');
    await toast(page, 'Mina Member was disabled and signed out.');
    await section(page, 'Enable user').getByRole('button', { name: 'Enable' }).click();
    await toast(page, 'Mina Member was enabled.');
    await section(page, 'Disable user').waitFor();
  });

  test('deletion asks for the address, and is final', async () => {
    const page = await openMember('erased@example.com');
    const remove = section(page, 'Delete user').getByRole('button', { name: 'Delete user permanently' });
    expect(await remove.isDisabled()).toBe(true);
    await section(page, 'Disable user').getByRole('button', { name: 'Disable' }).click();
    await confirm(page, 'Disable');
    await remove.click();
    const dialog = page.getByRole('dialog', { name: 'Delete Mina Member permanently?' });
    const sure = dialog.getByRole('button', { name: 'Delete permanently' });
    await dialog.getByLabel(/^Type/).fill('somebody@example.com');
    expect(await sure.isDisabled()).toBe(true);
    await expectLayout(page, 'user-erase');
    await dialog.getByLabel(/^Type/).fill('erased@example.com');
    await dialog.getByLabel(/^Type/).press('Enter');
    await toast(page, 'Mina Member was deleted.');
    await page.waitForURL('**/users');
    await page.goto(`${portal.url}/users?q=erased`);
    await page.getByText('No users match your filters').waitFor();
  });
});

test('an unknown user, and one that cannot be loaded', async () => {
  const page = await portal.as(portal.admin, '/users/01890a5d-ac96-774b-bcce-b302099a8057');
  await page.getByRole('alert').getByText('User not found').waitFor();
  await expectLayout(page, 'user-missing');
  const path = await pathOfUser(portal, portal.admin.email);
  await failsOnce(page, `**/api${path}`, async () => void (await page.goto(`${portal.url}${path}`)));
  await section(page, 'Name and role').waitFor();
});
