import type { Page } from 'playwright-core';
import { germanFiles } from '../../portal/translations.js';
import { fitsWindow, type Portal } from './portal.js';
import { cutTexts } from './texts.js';

export interface Size {
  width: number;
  height: number;
}

const isDialogWide =
  "[...document.querySelectorAll('[role=dialog]')].some((each) => each.scrollWidth > each.clientWidth + 1)";

/** What is wrong with the page that is shown: texts that are cut, and a window or a dialog that scrolls sideways. */
export async function misfits(page: Page): Promise<string[]> {
  return [
    ...((await fitsWindow(page)) ? [] : ['wider than the window']),
    ...((await page.evaluate<boolean>(isDialogWide)) ? ['wider than the dialog'] : []),
    ...(await cutTexts(page)),
  ];
}

/** A tab in this language, signed in as the person. */
export async function openTab(
  portal: Portal,
  language: string,
  size: Size,
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

/** Proper names and notations that are the same in every language, the initials of the users and the client of the tests. */
const sameEverywhere = [
  'AD',
  'MA',
  'NE',
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

/** In a policy of row-level security. */
const placeholder = /^\{\{[a-z_.]+\}\}$/;

/** Texts with unaccented words that the service did not send. */
export function untranslated(texts: string[], data: Set<string>): string[] {
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
      !placeholder.test(text) &&
      !isData(text),
  );
}

const german = Object.entries(
  Object.assign({}, ...germanFiles().map(([, texts]) => texts)) as Record<string, string>,
);

/** A pattern of a text whose variables have any value. */
export const patternOf = (parts: string[], end = ''): RegExp =>
  new RegExp(
    `^${parts.map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)).join('.+')}${end}$`,
  );

export const withoutVariables = (text: string): string[] => text.split(/\{\{[\w, ]+\}\}/);

/** English texts of the portal, as patterns, of which the German ones differ. */
const english = german
  .map(([key, text]) => [key.replace(/_(one|other)$/, ''), text] as const)
  .filter(([key, text]) => key !== text && /[A-Za-z]{3,}/.test(key.replaceAll(/\{\{\w+\}\}|<[^>]+>/g, '')))
  .map(([key]) => patternOf(withoutVariables(key)));
const germanTexts = new Set(german.map(([, text]) => text));

/** Texts in the language of the tests on a page that is shown in German. */
export const englishTexts = (texts: string[]): string[] =>
  texts.filter(
    (text) =>
      // Names of the demo tenant: a workspace, a dataset and a page of a report.
      !['People', 'Deliveries', 'Overview'].includes(text) &&
      !germanTexts.has(text) &&
      english.some((each) => each.test(text)),
  );

/** The German texts of the portal, by their English ones. */
export const inGerman = new Map(german);
