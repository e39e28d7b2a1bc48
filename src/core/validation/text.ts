import { isIP } from 'node:net';

/** A string that PostgreSQL and UTF-8 can represent: no NUL, no lone surrogate. */
export const isText = (value: unknown): value is string =>
  typeof value === 'string' && value.isWellFormed() && !value.includes('\0');

/** Control characters, line separators, and characters that override the direction of the text around them. */
const unsafe = /[\p{Cc}\p{Zl}\p{Zp}\u202A-\u202E\u2066-\u2069]/u;
const visible = /[^\p{Z}\p{Cf}\p{M}\p{Default_Ignorable_Code_Point}\u2800]/u;
/** Replaces bytes that could not be decoded, so that two different values can become equal. */
const REPLACEMENT = '\uFFFD';

/** Text on one line that is displayed exactly as stored; may be empty. */
const isSafeText = (value: unknown): value is string => isText(value) && !unsafe.test(value);

/** Text for display: safe, with at least one visible character. */
export const isReadableText = (value: unknown): value is string => isSafeText(value) && visible.test(value);

/**
 * Characters that change nothing in the display of a name. A joiner is kept in emoji and in scripts that join letters, a variation
 * selector and a tag in emoji.
 */
const withoutEffect = new RegExp(
  [
    String.raw`[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b\u200e\u200f\u2060-\u2065\u206a-\u206f\u3164\ufeff\uffa0\ufff0-\ufff8]`,
    String.raw`(?<![\p{Extended_Pictographic}\p{Emoji_Modifier}\p{M}\p{Script=Arabic}\p{Script=Syriac}])[\u200c\u200d]+`,
    String.raw`(?<![\p{Extended_Pictographic}\p{Emoji_Modifier}\p{Script=Han}])[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]+(?!\u20e3)`,
    String.raw`(?<![\u{1f3f4}\u{e0020}-\u{e007f}])[\u{e0000}-\u{e007f}]+`,
  ].join('|'),
  'gu',
);

/** Text as it is displayed, so that two names that look the same are the same. */
export const withoutInvisible = (text: string): string => text.replaceAll(withoutEffect, '');

export const MAX_NAME = 200;

/** NFKC, so that full-width forms of `://` are rejected too. */
export const isName = (value: unknown): value is string =>
  isReadableText(value) && [...value.trim()].length <= MAX_NAME && !value.normalize('NFKC').includes('://');

/** Names that look alike are equal: composed characters, one kind of space and none around them, nothing invisible. */
export const canonicalName = (name: string): string =>
  withoutInvisible(name.normalize('NFC'))
    .replaceAll(/\p{Zs}/gu, ' ')
    .trim();

/** Converts text of another system into a name that passes `isName`; null if nothing usable remains. */
export function cleanName(text: string): string | null {
  const line = text.replaceAll(/\s+/g, ' ');
  const characters = [...line].filter(
    (character) => character.isWellFormed() && character !== REPLACEMENT && !unsafe.test(character),
  );
  const name = withoutInvisible(characters.join('')).trim();
  const all = [...name];
  const cut = all.length > MAX_NAME ? `${all.slice(0, MAX_NAME - 1).join('')}…` : name;
  return isName(cut) ? cut : null;
}

/** Maximum length of a stored id of another system: the limit of `sub` in OpenID Connect. */
export const MAX_EXTERNAL_ID = 255;

/** An id issued by another system. Compared exactly, so it must not contain characters lost in decoding. */
export const isExternalId = (value: unknown): value is string =>
  isSafeText(value) && value !== '' && value.length <= MAX_EXTERNAL_ID && !value.includes(REPLACEMENT);

export const MAX_ATTRIBUTES = 50;
const MAX_ATTRIBUTE = 256;
const attributeName = /^[A-Za-z0-9_-]{1,64}$/;

export const isAttributeName = (name: string): boolean => attributeName.test(name) && name !== '__proto__';

/** Identity policies compare it with data, so like an id it must not contain characters lost in decoding. */
export const isAttributeValue = (value: unknown): value is string =>
  isSafeText(value) && value.length <= MAX_ATTRIBUTE && !value.includes(REPLACEMENT);

/** An id as PostgreSQL writes it. Of any version: Power BI's ids are not restricted to those of the standard. */
export const storedUuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const uuid = new RegExp(storedUuid, 'i');

export const isUuid = (text: string): boolean => uuid.test(text);

/** The text as an id of the database, in lower case, as PostgreSQL writes it; null if it is none. */
export const toUuid = (text: string): string | null => (isUuid(text) ? text.toLowerCase() : null);

/** A zone, as in `fe80::1%eth0`, has a meaning on one host only. */
export const isIpAddress = (value: unknown): value is string =>
  typeof value === 'string' && isIP(value) !== 0 && !value.includes('%');
