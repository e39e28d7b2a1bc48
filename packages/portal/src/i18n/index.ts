import i18next, { changeLanguage, type FormatterModule, use } from 'i18next';
import { initReactI18next } from 'react-i18next';
import en from './en.json';
import { formatNumber } from './format.js';

/**
 * Languages of the portal. The English text is the key: `t('Grant access')`, `t('{{count}} reports', { count })`.
 * - `en.json` contains only the singular forms: `"{{count}} reports_one": "{{count}} report"`.
 * - `de/*.json` contains every key, one file per area of the portal; plurals as `…_one` and `…_other`.
 * - Numbers are passed as numbers, and written as in the language: `2,400`. What must not be grouped is passed as text.
 * - Texts in constants outside functions are marked with `msg()` and translated where they are shown.
 * `test/portal/translations.spec.ts` reports missing, unused and untranslated texts.
 */
export const languages = { en: 'English', de: 'Deutsch' } as const;
export type Language = keyof typeof languages;

/** Accented, longer English: texts that are not translated, or do not fit, become visible. Browser tests set it. */
export const PSEUDO = 'en-XA';
const STORED = 'vitrine.language';

const isLanguage = (tag: string): tag is Language => tag in languages;
const primary = (tag: string): string => tag.split('-')[0] ?? tag;

/** The language that was chosen last in this browser, otherwise the first supported one of the browser. */
function preferred(): string {
  const stored = localStorage.getItem(STORED);
  if (stored === PSEUDO) return PSEUDO;
  return [stored ?? '', ...navigator.languages].map(primary).find(isLanguage) ?? 'en';
}

async function load(language: string): Promise<void> {
  if (language !== 'de' || i18next.hasResourceBundle('de', 'translation')) return;
  const { de } = await import('./de/index.js');
  i18next.addResourceBundle('de', 'translation', de);
}

/** Changes nothing if the texts cannot be loaded. */
async function apply(language: string): Promise<void> {
  await load(language);
  await changeLanguage(language);
  document.documentElement.lang = language;
}

const nothing = (): void => undefined;

/** Writes every number of a text. */
export const numbers: FormatterModule = {
  type: 'formatter',
  init: nothing,
  add: nothing,
  addCached: nothing,
  format: (value: unknown) => (typeof value === 'number' ? formatNumber(value) : (value as string)),
};

/** Before the first page is drawn. */
export async function startI18n(): Promise<void> {
  const language = preferred();
  if (language === PSEUDO) use((await import('./pseudo.js')).pseudo);
  await use(numbers)
    .use(initReactI18next)
    .init({
      lng: language,
      fallbackLng: 'en',
      resources: { en: { translation: en } },
      keySeparator: false,
      nsSeparator: false,
      interpolation: { escapeValue: false, alwaysFormat: true },
      postProcess: language === PSEUDO ? ['pseudo'] : [],
      react: { useSuspense: false },
    });
  await apply(language).catch(() => apply('en'));
}

/** Null follows the browser. Rejects if the texts cannot be loaded. */
export async function setLanguage(language: string | null): Promise<void> {
  if (localStorage.getItem(STORED) === PSEUDO) return;
  if (language === null) localStorage.removeItem(STORED);
  else localStorage.setItem(STORED, language);
  const next = preferred();
  if (next !== i18next.language) await apply(next);
}

/** Marks a text that is translated elsewhere, with `t(text)`. */
export const msg = <Text extends string>(text: Text): Text => text;
