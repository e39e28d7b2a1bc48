import { createInstance, type TFunction } from 'i18next';
import type { Locale } from '../../core/locales.js';
import { german } from './locales/de.js';

/** Language, formats and names of one mail. */
export interface MailReader {
  language: Locale;
  /** Translates an English text. Values are plain text; the template escapes them. */
  t: TFunction;
  /** A date and a time with its zone. */
  time: (at: Date) => string;
  /** Names in a sentence. */
  list: (names: readonly string[]) => string;
  product: string;
  publicUrl: string;
}

/** The English texts are the keys, so they may contain colons and periods. */
const texts = createInstance({
  lng: 'en',
  fallbackLng: false,
  resources: { en: { translation: {} }, de: { translation: german } },
  keySeparator: false,
  nsSeparator: false,
  interpolation: { escapeValue: false },
  initAsync: false,
});
void texts.init();

/** English with days before months. */
const formats: Record<Locale, string> = { en: 'en-GB', de: 'de' };

type Names = Pick<MailReader, 'product' | 'publicUrl'>;

export function mailReader(language: Locale, timeZone: string, names: Names): MailReader {
  const format = formats[language];
  const date = new Intl.DateTimeFormat(format, { dateStyle: 'long', timeZone });
  const time = new Intl.DateTimeFormat(format, {
    hour: '2-digit',
    minute: '2-digit',
    timeZone,
    timeZoneName: 'short',
  });
  const list = new Intl.ListFormat(format, { type: 'conjunction' });
  return {
    language,
    t: texts.getFixedT(language),
    time: (at) => `${date.format(at)}, ${time.format(at)}`,
    list: (each) => list.format(each),
    ...names,
  };
}
