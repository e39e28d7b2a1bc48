import { mkdirSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { pseudo } from '../../../packages/portal/src/i18n/pseudo.js';
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
import { asAdmin } from './people.js';
import { allPlaces } from './places.js';
import { Portal } from './portal.js';
import { visibleTexts } from './texts.js';

const size = { width: 390, height: 844 };
const folder = '.data/screenshots/languages';

/** The row of a list whose name opens a drawer. */
const firstRow = 'css=main tbody a';

/** What opens each dialog of a page: the English name of a button, or of the button and the entry of a menu; or a selector. */
const dialogs: Record<string, (string | [menu: string, entry: string])[]> = {
  home: [['Your account', 'Report a problem']],
  'workspace-access': ['Invite user', 'Add member'],
  report: [
    ['Saved views', 'Save current view'],
    ['Saved views', 'Manage views'],
    ['More actions', 'Share'],
  ],
  'report-access': ['Why can {{name}} see this?'],
  'report-grants': ['Share', 'Edit {{name}}', 'Remove {{name}}'],
  groups: ['New group'],
  group: ['Add members', 'Edit', 'Delete', 'Remove {{name}}'],
  user: ['Disable'],
  'user-access': ['Grant workspace access', 'Remove {{name}}'],
  'user-sign-in': ['Sign out everywhere'],
  invitations: ['Invite user', 'Resend all', 'Revoke invitation for {{email}}'],
  'service-accounts': ['New service account'],
  'service-account': ['Add secret', 'Revoke secret {{number}}', 'Disable', 'Delete'],
  syncs: [firstRow],
  datasets: [firstRow],
  'embedding-revocations': ['Block embedding', 'Remove block of {{time}}'],
  webhooks: ['Add webhook'],
  webhook: ['Roll secret', 'Redeliver a period', 'Disable', 'Delete'],
  provisioning: ['New provisioning token'],
  branding: ['Reset to defaults'],
  account: ['Sign out all other sessions'],
};

let portal: Portal;
let places: { name: string; path: string }[];

beforeAll(async () => {
  mkdirSync(folder, { recursive: true });
  portal = await Portal.open();
  const all = await allPlaces(portal);
  const report = all.find(({ name }) => name === 'report')!.path;
  places = [
    ...all,
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

function opener(page: Page, language: Language, role: 'button' | 'menuitem', key: string) {
  if (key.startsWith('css=')) return page.locator(key).first();
  return page.getByRole(role, { name: nameIn[language](key) }).first();
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
      const [first, entry] = [keys].flat() as [string, string?];
      const look = async (): Promise<string[]> => {
        await opener(page, language, 'button', first).click({ timeout: 20_000 });
        if (entry !== undefined) await opener(page, language, 'menuitem', entry).click({ timeout: 20_000 });
        const dialog = page.getByRole('dialog');
        await dialog.getByRole('heading').first().waitFor({ timeout: 20_000 });
        await page.waitForLoadState('networkidle');
        await page.screenshot({ path: `${folder}/${language}-${name}-dialog-${index}.png` });
        const wrong = [...(await misfits(page)), ...(await check(page, data))];
        await page.keyboard.press('Escape');
        await dialog.waitFor({ state: 'detached', timeout: 20_000 });
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
