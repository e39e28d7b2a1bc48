import type { Locator, Page } from 'playwright-core';
import { pseudo } from '../../../packages/portal/src/i18n/pseudo.js';
import { englishTexts, inGerman, patternOf, untranslated, withoutVariables } from './language-checks.js';
import { visibleTexts } from './texts.js';

/** The window of a phone. */
export const phone = { width: 390, height: 844 };
export const folder = '.data/screenshots/languages';

/** A pattern of the accessible name with this English text. */
const nameIn = {
  de: (key: string) => patternOf(withoutVariables(inGerman.get(key) ?? inGerman.get(`${key}_other`) ?? key)),
  'en-XA': (key: string) =>
    patternOf(
      withoutVariables(key).map((part) => pseudo.process(part, '', {}, undefined).replaceAll('·', '')),
      '·*',
    ),
};
export type Language = keyof typeof nameIn;

/** A button or an entry of a menu by its English name, or what a selector finds. */
export function opener(within: Page | Locator, language: Language, key: string): Locator {
  if (key.startsWith('css=')) return within.locator(key);
  const name = nameIn[language](key);
  return within.getByRole('menuitem', { name }).or(within.getByRole('button', { name }));
}

/** What a user does on a page in this language; everything is given by its English name. */
export function userOf(page: Page, language: Language) {
  const named = (role: 'dialog' | 'textbox' | 'combobox', key: string): Locator =>
    page.getByRole(role, { name: nameIn[language](key) });
  return {
    page,
    language,
    dialog: (title: string) => named('dialog', title),
    field: (label: string) => named('textbox', label),
    picker: (label: string) => named('combobox', label),
    button: (key: string, within: Page | Locator = page) => opener(within, language, key),
    /** The text of an element that has no role. */
    text: (key: string) => page.getByText(nameIn[language](key)).first(),
    press: (key: string, within: Page | Locator = page) => opener(within, language, key).first().click(),
  };
}
export type User = ReturnType<typeof userOf>;

/** The texts on the page that are not in its language. `data` are texts that the service sent. */
export async function wrongTexts(page: Page, language: Language, data: Set<string>): Promise<string[]> {
  const texts = await visibleTexts(page);
  if (language === 'de') return englishTexts(texts);
  // What is sent with a problem: the address, the time and the browser.
  const { origin } = new URL(page.url());
  return untranslated(
    texts.filter((text) => !text.includes(origin)),
    data,
  );
}
