import { mkdirSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { pseudo } from '../../../packages/portal/src/i18n/pseudo.js';
import { pathOfUser } from './admin.js';
import {
  englishTexts,
  inGerman,
  misfits,
  openTab,
  patternOf,
  untranslated,
  withoutVariables,
} from './language-checks.js';
import { collectData, visit } from './language-walk.js';
import { asAdmin, disable, member } from './people.js';
import { allPlaces } from './places.js';
import { Portal } from './portal.js';
import { visibleTexts } from './texts.js';

const size = { width: 390, height: 844 };
const folder = '.data/screenshots/languages';

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
  'report-missing': ['Request access'],
  user: ['Disable'],
  'user-disabled': ['Delete user permanently'],
  'user-access': ['Grant workspace access', 'Remove {{name}}'],
  'user-sign-in': ['Sign out everywhere', 'Link identity'],
  invitations: ['Invite user', 'Resend all', 'Revoke invitation for {{email}}'],
  'service-accounts': ['New service account'],
  'service-account': ['Add secret', 'Revoke secret {{number}}', 'Disable', 'Delete'],
  syncs: [firstRow],
  datasets: [firstRow, ['css=main tbody tr:has-text("Sales by region") a', 'Remove policy']],
  audit: [['Export', 'css=[role=menuitem]']],
  'embedding-revocations': ['Block embedding', 'Remove block of {{time}}'],
  webhooks: ['Add webhook'],
  webhook: ['Roll secret', 'Redeliver a period', 'Disable', 'Delete'],
  provisioning: ['New provisioning token'],
  branding: ['Reset to defaults'],
  account: ['Sign out all other sessions', otherSession],
};

let portal: Portal;
let places: { name: string; path: string }[];

beforeAll(async () => {
  mkdirSync(folder, { recursive: true });
  portal = await Portal.open();
  const all = await allPlaces(portal);
  const report = all.find(({ name }) => name === 'report')!.path;
  const { email } = await member(portal, 'former@example.com');
  await disable(portal, email);
  places = [
    ...all,
    { name: 'report-missing', path: '/reports/0195e5a0-0000-7000-8000-000000000006' },
    { name: 'user-disabled', path: await pathOfUser(portal, email) },
    { name: 'branding', path: '/settings/branding' },
    { name: 'report-grants', path: `${report}/access?tab=grants` },
  ];
  const view = { name: 'Mine', state: 'H4sI' };
  expect((await asAdmin(portal, 'POST', `/api${report}/views`, view)).status).toBe(201);
}, 300_000);
afterEach(() => expect(portal.pageErrors).toEqual([]));
afterAll(() => portal.close());

/** A pattern of the accessible name with this English text. */
const nameIn = {
  de: (key: string) => patternOf(withoutVariables(inGerman.get(key) ?? key)),
  'en-XA': (key: string) =>
    patternOf(
      withoutVariables(key).map((part) => pseudo.process(part, '', {}, undefined).replaceAll('·', '')),
      '·*',
    ),
};
type Language = keyof typeof nameIn;

function opener(page: Page, language: Language, key: string) {
  if (key.startsWith('css=')) return page.locator(key).first();
  const name = nameIn[language](key);
  return page.getByRole('menuitem', { name }).or(page.getByRole('button', { name })).first();
}

/** Opens each dialog at phone width, with an image of each. Returns the dialogs with problems. */
async function openAll(language: Language, check: (page: Page, data: Set<string>) => Promise<string[]>) {
  const found: Record<string, string[]> = {};
  for (const [name, openers] of Object.entries(dialogs)) {
    const { path } = places.find((place) => place.name === name)!;
    const page = await openTab(portal, language, size, portal.admin);
    const data = collectData(page);
    await visit(page, `${portal.url}${path}`);
    for (const [index, keys] of openers.entries()) {
      const look = async (): Promise<string[]> => {
        const dialog = page.getByRole('dialog');
        let below = 0;
        for (const key of [keys].flat()) {
          const next = opener(page, language, key);
          await next.waitFor({ timeout: 20_000 });
          below = await dialog.count();
          await next.click({ timeout: 20_000 });
        }
        await dialog.nth(below).getByRole('heading').first().waitFor({ timeout: 20_000 });
        await page.waitForLoadState('networkidle');
        await page.screenshot({ path: `${folder}/${language}-${name}-dialog-${index}.png` });
        const wrong = [...(await misfits(page)), ...(await check(page, data))];
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
  const found = await openAll('en-XA', async (page, data) => {
    const texts = await visibleTexts(page);
    // What is sent with a problem: the address, the time and the browser.
    return untranslated(
      texts.filter((text) => !text.includes(portal.url)),
      data,
    );
  });
  expect(found).toEqual({});
}, 600_000);

test('in German no English text is left in a dialog, and every text fits a phone', async () => {
  const { status } = await asAdmin(portal, 'PATCH', '/api/users/me', { locale: 'de' });
  expect(status).toBe(200);
  const found = await openAll('de', async (page) => englishTexts(await visibleTexts(page)));
  expect(found).toEqual({});
}, 600_000);
