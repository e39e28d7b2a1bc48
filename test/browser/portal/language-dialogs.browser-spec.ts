import { mkdirSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { pathOfUser } from './admin.js';
import { misfits, openTab } from './language-checks.js';
import { folder, type Language, opener, phone, wrongTexts } from './language-openers.js';
import { collectData, visit } from './language-walk.js';
import { asAdmin, disable, member } from './people.js';
import { allPlaces } from './places.js';
import { Portal } from './portal.js';
import { createGroup, idOf } from './viewers.js';

/** The row of a list whose name opens a drawer. */
const firstRow = 'css=main tbody a';

/** A session of another client on the page of the account. */
const otherSession = 'css=main [role=group] > button';

/** What opens each dialog of a page, one after the other: the English names of buttons and entries of menus, or selectors. */
const dialogs: Record<string, (string | string[])[]> = {
  home: [['Your account', 'Report a problem']],
  'workspace-access': ['Invite user', 'Add member'],
  report: [
    ['Saved views', 'Save current view'],
    ['Saved views', 'Manage views'],
    ['Saved views', 'Manage views', 'Delete {{name}}'],
    ['More actions', 'Share'],
  ],
  'report-access': ['Why can {{name}} see this?'],
  'report-grants': ['Share', 'Edit {{name}}', 'Remove {{name}}'],
  groups: ['New group'],
  group: ['Add members', 'Edit', 'Delete', 'Remove {{name}}'],
  'group-parent': ['Remove {{name}}'],
  'report-missing': ['Request access'],
  user: ['Disable'],
  'user-disabled': ['Delete user permanently'],
  'user-access': ['Grant workspace access', 'Edit {{name}}', 'Remove {{name}}'],
  'user-sign-in': ['Sign out everywhere', 'Link identity'],
  'own-user': ['Disable'],
  'own-sign-in': ['Sign out everywhere'],
  invitations: ['Invite user', 'Resend all', 'Revoke invitation for {{email}}'],
  'service-accounts': ['New service account'],
  'service-account-rotated': ['Revoke secret {{number}}'],
  'service-account': ['Add secret', 'Revoke secret {{number}}', 'Disable', 'Delete'],
  syncs: [firstRow],
  datasets: [firstRow, ['css=main tbody tr:has-text("Sales by region") a', 'Remove policy']],
  audit: [['Export', 'css=[role=menuitem]']],
  'embedding-filtered': ['Block embedding…'],
  'embedding-revocations': ['Block embedding', 'Remove block of {{time}}'],
  webhooks: ['Add webhook'],
  webhook: ['Roll secret', 'Redeliver a period', 'Disable', 'Delete'],
  provisioning: ['New provisioning token'],
  branding: ['Reset to defaults'],
  account: ['Sign out all other sessions', otherSession],
};

let portal: Portal;

/** The path of a service account with two secrets. */
async function rotatedAccount(): Promise<string> {
  const created = await asAdmin(portal, 'POST', '/api/service-accounts', { name: 'Rotated export' });
  const path = `/service-accounts/${((await created.json()) as { id: string }).id}`;
  expect((await asAdmin(portal, 'POST', `/api${path}/secrets`, {})).status).toBe(201);
  return path;
}

let places: { name: string; path: string }[];

beforeAll(async () => {
  mkdirSync(folder, { recursive: true });
  portal = await Portal.open();
  const all = await allPlaces(portal);
  const report = all.find(({ name }) => name === 'report')!.path;
  const { email } = await member(portal, 'former@example.com');
  await disable(portal, email);
  const own = await pathOfUser(portal, portal.admin.email);
  const parent = await createGroup(portal, 'Departments', [], ['Controllers']);
  const workspace = await idOf(portal, 'workspaces', 'Sales');
  places = [
    ...all,
    { name: 'report-missing', path: '/reports/0195e5a0-0000-7000-8000-000000000006' },
    { name: 'user-disabled', path: await pathOfUser(portal, email) },
    { name: 'own-user', path: own },
    { name: 'own-sign-in', path: `${own}?tab=sign-in` },
    { name: 'group-parent', path: `/groups/${parent}` },
    { name: 'embedding-filtered', path: `/embedding?tab=tokens&workspace=${workspace}` },
    { name: 'service-account-rotated', path: await rotatedAccount() },
    { name: 'branding', path: '/settings/branding' },
    { name: 'report-grants', path: `${report}/access?tab=grants` },
  ];
  const view = { name: 'Mine', state: 'H4sI' };
  expect((await asAdmin(portal, 'POST', `/api${report}/views`, view)).status).toBe(201);
}, 300_000);
afterEach(() => expect(portal.pageErrors).toEqual([]));
afterAll(() => portal.close());

/** Opens each dialog at phone width, with an image of each. Returns the dialogs with problems. */
async function openAll(language: Language) {
  const found: Record<string, string[]> = {};
  for (const [name, openers] of Object.entries(dialogs)) {
    const { path } = places.find((place) => place.name === name)!;
    const page = await openTab(portal, language, phone, portal.admin);
    const data = collectData(page);
    await visit(page, `${portal.url}${path}`);
    for (const [index, keys] of openers.entries()) {
      const look = async (): Promise<string[]> => {
        const dialog = page.getByRole('dialog');
        let below = 0;
        for (const key of [keys].flat()) {
          const next = opener(page, language, key).first();
          await next.waitFor({ timeout: 20_000 });
          below = await dialog.count();
          await next.click({ timeout: 20_000 });
        }
        await dialog.nth(below).getByRole('heading').first().waitFor({ timeout: 20_000 });
        await page.waitForLoadState('networkidle');
        await page.screenshot({ path: `${folder}/${language}-${name}-dialog-${index}.png` });
        const wrong = [...(await misfits(page)), ...(await wrongTexts(page, language, data))];
        for (let top = below; top >= 0; top -= 1) {
          await page.keyboard.press('Escape');
          await dialog.nth(top).waitFor({ state: 'detached', timeout: 20_000 });
        }
        return wrong;
      };
      const wrong = await look().catch((error: unknown) => [String(error)]);
      if (wrong.length > 0) found[`${name}: ${String(keys)}`] = wrong;
    }
    await page.context().close();
  }
  return found;
}

test('in the pseudo-language every text of a dialog is translated and fits a phone', async () => {
  expect(await openAll('en-XA')).toEqual({});
}, 600_000);

test('in German no English text is left in a dialog, and every text fits a phone', async () => {
  const { status } = await asAdmin(portal, 'PATCH', '/api/users/me', { locale: 'de' });
  expect(status).toBe(200);
  expect(await openAll('de')).toEqual({});
}, 600_000);
