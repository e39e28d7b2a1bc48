import { mkdirSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { CHROMIUM } from '../../support/chromium.js';
import { englishTexts, misfits, openTab, type Size, untranslated } from './language-checks.js';
import { collectData, entryPages, everyPlace, visit } from './language-walk.js';
import { asAdmin } from './people.js';
import type { Place } from './places.js';
import { Portal } from './portal.js';
import { visibleTexts } from './texts.js';

const sizes: Size[] = [
  { width: 390, height: 844 },
  { width: 1280, height: 900 },
];
const folder = '.data/screenshots/languages';

let portal: Portal;
let walk: Place[];

beforeAll(async () => {
  mkdirSync(folder, { recursive: true });
  portal = await Portal.open({}, CHROMIUM);
  walk = await everyPlace(portal);
}, 300_000);
afterEach(() => expect(portal.pageErrors).toEqual([]));
afterAll(() => portal.close());

/** The service limits how often a session is renewed, which every load of a page does. */
const PAGES_PER_SESSION = 20;

type Check = (page: Page) => Promise<string[]>;

/** Visits every page, signed in and not, with an image of each. Returns the pages with problems. */
async function visitAll(language: string, size: Size, check: Check): Promise<object> {
  const found: Record<string, string[]> = {};
  const look = async (page: Page, name: string, path: string): Promise<void> => {
    const error = await visit(page, `${portal.url}${path}`).catch(String);
    if (error !== undefined) {
      // The other pages are still reported.
      found[name] = [error, await page.locator('body').innerText()];
      return;
    }
    await page.screenshot({ path: `${folder}/${language}-${name}-${size.width}.png` });
    const wrong = [...(await misfits(page)), ...(await check(page))];
    if (wrong.length > 0) found[name] = wrong;
  };
  for (let first = 0; first < walk.length; first += PAGES_PER_SESSION) {
    const page = await openTab(portal, language, size, portal.admin);
    for (const { name, path } of walk.slice(first, first + PAGES_PER_SESSION)) await look(page, name, path);
    await page.context().close();
  }
  const visitor = await openTab(portal, language, size);
  for (const [index, path] of entryPages.entries()) {
    // A change of the fragment alone loads nothing.
    await visitor.goto('about:blank');
    await look(visitor, `entry-${index}`, path);
  }
  await visitor.context().close();
  return found;
}

test.each(sizes)(
  'in the pseudo-language every text is translated and fits ($width px)',
  async (size) => {
    const known = new WeakMap<Page, Set<string>>();
    const found = await visitAll('en-XA', size, async (page) => {
      const data = known.get(page) ?? collectData(page);
      if (!known.has(page)) {
        known.set(page, data);
        await visit(page, page.url());
      }
      return untranslated(await visibleTexts(page), data);
    });
    expect(found).toEqual({});
  },
  600_000,
);

test.each(sizes)(
  'in German no English text is left, and every text fits ($width px)',
  async (size) => {
    const { status } = await asAdmin(portal, 'PATCH', '/api/users/me', { locale: 'de' });
    expect(status).toBe(200);
    const found = await visitAll('de', size, async (page) => {
      expect(await page.evaluate('document.documentElement.lang')).toBe('de');
      return englishTexts(await visibleTexts(page));
    });
    expect(found).toEqual({});
  },
  600_000,
);
