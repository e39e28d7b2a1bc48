import { mkdirSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { CHROMIUM } from '../../support/chromium.js';
import { germanFiles } from '../../portal/translations.js';
import { collectData, entryPages, visit, walkOf } from './language-walk.js';
import { asAdmin } from './people.js';
import { fitsWindow, Portal } from './portal.js';
import { cutTexts, visibleTexts } from './texts.js';

const sizes = [
  { width: 390, height: 844 },
  { width: 1280, height: 900 },
];
const folder = '.data/screenshots/languages';

let portal: Portal;
let walk: [name: string, path: string][];

beforeAll(async () => {
  mkdirSync(folder, { recursive: true });
  portal = await Portal.open({}, CHROMIUM);
  walk = await walkOf(portal);
}, 300_000);
afterEach(() => expect(portal.pageErrors).toEqual([]));
afterAll(() => portal.close());

/** What is wrong with the page that is shown: texts that are cut, and a window that scrolls sideways. */
async function misfits(page: Page): Promise<string[]> {
  return [...((await fitsWindow(page)) ? [] : ['wider than the window']), ...(await cutTexts(page))];
}

/** The service limits how often a session is renewed, which every load of a page does. */
const PAGES_PER_SESSION = 20;

/** A tab in this language, signed in as the person. */
async function openTab(
  language: string,
  size: (typeof sizes)[number],
  person?: { email: string; password: string },
): Promise<Page> {
  const context = person === undefined ? await portal.newContext() : await portal.session(person);
  await context.addInitScript(
    `if (location.protocol !== 'about:') localStorage.setItem('vitrine.language', '${language}')`,
  );
  const page = await portal.tab(context);
  await page.setViewportSize(size);
  // With both widths of both languages, each pair of language, width and theme occurs.
  const isDark = (language === 'de') === (size.width === 390);
  await page.emulateMedia({ colorScheme: isDark ? 'dark' : 'light' });
  return page;
}

type Check = (page: Page) => Promise<string[]>;

/** Visits every page, signed in and not, with an image of each. Returns the pages with problems. */
async function visitAll(language: string, size: (typeof sizes)[number], check: Check): Promise<object> {
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
    const page = await openTab(language, size, portal.admin);
    for (const [name, path] of walk.slice(first, first + PAGES_PER_SESSION)) await look(page, name, path);
    await page.context().close();
  }
  const visitor = await openTab(language, size);
  for (const [index, path] of entryPages.entries()) {
    // A change of the fragment alone loads nothing.
    await visitor.goto('about:blank');
    await look(visitor, `entry-${index}`, path);
  }
  await visitor.context().close();
  return found;
}

/** Proper names and notations that are the same in every language, the initials of the admin and the client of the tests. */
const sameEverywhere = [
  'AD',
  'node',
  'Vitrine',
  'Power BI',
  'English',
  'Deutsch',
  'Ctrl K',
  '⌘ K',
  'K',
  'Ctrl',
  'PDF',
  'CSV',
  'NDJSON',
  'UTC',
];
const date =
  /^\W*((Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)\w*|AM|PM|GMT|UTC|ms|s|min|kB|MB|GB|[\W\d])*$/;

/** The code of a problem and the id of its request, for administrators. */
const problemRef = /^[a-z_]+ · [0-9a-f-]{36}$/;

/** Texts with unaccented words that the service did not send. */
function untranslated(texts: string[], data: Set<string>): string[] {
  const known = [...data, ...sameEverywhere].filter((text) => text.length > 1);
  const isData = (text: string): boolean =>
    known.some(
      (each) =>
        each === text || each.includes(text) || (each.length > 3 && date.test(text.replaceAll(each, ''))),
    );
  return texts.filter(
    (text) =>
      /[A-Za-z]{2,}/.test(text) &&
      !text.includes('@example.com') &&
      !date.test(text) &&
      !problemRef.test(text) &&
      !isData(text),
  );
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

const german = Object.entries(
  Object.assign({}, ...germanFiles().map(([, texts]) => texts)) as Record<string, string>,
);

/** English texts of the portal, as patterns, of which the German ones differ. */
const english = german
  .map(([key, text]) => [key.replace(/_(one|other)$/, ''), text] as const)
  .filter(([key, text]) => key !== text && /[A-Za-z]{3,}/.test(key.replaceAll(/\{\{\w+\}\}|<[^>]+>/g, '')))
  .map(([key]) => {
    const parts = key
      .split(/\{\{[\w, ]+\}\}/)
      .map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`));
    return new RegExp(`^${parts.join('.+')}$`);
  });
const germanTexts = new Set(german.map(([, text]) => text));

test.each(sizes)(
  'in German no English text is left, and every text fits ($width px)',
  async (size) => {
    const { status } = await asAdmin(portal, 'PATCH', '/api/users/me', { locale: 'de' });
    expect(status).toBe(200);
    const found = await visitAll('de', size, async (page) => {
      expect(await page.evaluate('document.documentElement.lang')).toBe('de');
      // Names of the demo tenant: a workspace, a dataset and a page of a report.
      const texts = await visibleTexts(page);
      return texts.filter(
        (text) =>
          !['People', 'Deliveries', 'Overview'].includes(text) &&
          !germanTexts.has(text) &&
          english.some((each) => each.test(text)),
      );
    });
    expect(found).toEqual({});
  },
  600_000,
);
