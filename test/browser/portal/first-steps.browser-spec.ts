import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { pick } from './admin.js';
import { inside, isShown } from './embedded.js';
import { linkFor } from './mail.js';
import { chosen } from './people.js';
import { Portal } from './portal.js';

let portal: Portal;

beforeAll(async () => {
  portal = await Portal.open();
}, 120_000);
afterEach(() => expect(portal.pageErrors).toEqual([]));
afterAll(() => portal.close());

test('the ten minutes of the README', async () => {
  const admin = await portal.signIn(await portal.tab(await portal.newContext()), portal.admin);
  await admin.getByRole('heading', { name: 'Get started' }).waitFor();

  await admin.getByRole('link', { name: 'Workspaces', exact: true }).click();
  await admin.getByRole('link', { name: 'Sales', exact: true }).click();
  await admin.getByRole('link', { name: 'Revenue overview', exact: true }).click();
  await isShown(admin, 'Revenue overview');
  await inside(admin).getByLabel('Region').selectOption('Europe');

  await admin.getByRole('button', { name: 'Favourite: Revenue overview' }).click();
  await admin.locator('[aria-label="Favourite: Revenue overview"][aria-pressed="true"]').waitFor();

  await admin.getByRole('button', { name: 'Saved views' }).click();
  await admin.getByRole('menuitem', { name: 'Save current view' }).click();
  const save = admin.getByRole('dialog', { name: 'Save current view' });
  await save.getByLabel('Name').fill('Europe');
  await save.getByLabel('Share with everyone who can see this report').check();
  await save.getByRole('button', { name: 'Save' }).click();
  await admin.waitForURL(/view=/);
  const view = admin.url();

  await admin.goto(portal.url);
  const favourites = admin.getByRole('region', { name: 'Favourites' });
  await favourites
    .getByRole('link', { name: /Revenue overview/ })
    .first()
    .waitFor();
  await admin.getByRole('link', { name: 'Admin', exact: true }).click();
  await admin.getByRole('link', { name: 'Invitations', exact: true }).click();
  await admin.getByRole('button', { name: 'Invite user' }).click();
  const dialog = admin.getByRole('dialog', { name: 'Invite user' });
  await dialog.getByLabel(/^Email/).fill('grace@example.com');
  await dialog.getByRole('button', { name: 'Add workspace' }).click();
  await pick(dialog, 'Workspace', 'Sales', admin);
  await dialog.getByRole('button', { name: 'Invite', exact: true }).click();
  await dialog.getByText('Email sent').waitFor();

  const grace = await portal.tab(await portal.newContext());
  await grace.goto(await linkFor(portal, 'grace@example.com'));
  await grace.getByLabel('Your name').fill('Grace Hopper');
  await grace.getByLabel(/^Password/).fill(chosen);
  await grace.getByRole('button', { name: 'Accept and sign in' }).click();
  await grace.getByRole('button', { name: 'Your account' }).waitFor();
  await grace.goto(view);
  await isShown(grace, 'Revenue overview');
  expect(await inside(grace).getByLabel('Region').inputValue()).toBe('Europe');

  const ada = await portal.tab(await portal.newContext());
  await ada.goto(portal.url);
  await ada.getByRole('button', { name: 'Sign in with your organization' }).click();
  await ada.click('#ada');
  await ada.getByRole('button', { name: 'Your account' }).waitFor();
  await ada.getByRole('link', { name: 'Sales', exact: true }).first().waitFor();
}, 120_000);
