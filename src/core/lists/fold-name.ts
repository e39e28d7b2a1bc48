/** Combining accents, and characters without a width. */
const ignored = /[\u0300-\u036f\u00ad\u200b-\u200f\u2060\ufeff]/g;
/** Letters that Unicode does not decompose, as users type them without their accents. */
const letters: Record<string, string> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  þ: 'th',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  ħ: 'h',
  ŧ: 't',
  ı: 'i',
  ς: 'σ',
};
const special = new RegExp(`[${Object.keys(letters).join('')}]`, 'g');

/**
 * The form in which the function `fold_name` of the database compares, searches and orders names: without accents and case, with
 * one form of each character and one space between words. Only to classify a term: the versions of Unicode may differ.
 */
export const foldName = (text: string): string =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(ignored, '')
    .normalize('NFC')
    .replaceAll(special, (letter) => letters[letter] ?? letter)
    .replaceAll(/\s+/g, ' ');

/** Collation of every `name_key`: lists of names have the order of a dictionary, whatever the locale of the database. */
const COLLATION = '"und-x-icu"';

/** SQL expression: the key of a name that has no column for it. */
export const nameKeyOf = (name: string): string => `(fold_name(${name}) COLLATE ${COLLATION})`;
