import { dictionary } from '@zxcvbn-ts/language-common';

/** 32 random bytes have about 30 distinct characters in base64url, and all 16 in hex. */
const MIN_DISTINCT = 12;
const MAX_REPEAT = 8;
const MIN_WORD = 4;
/** A random key contains one or two short words by chance, never this share. */
const MAX_WORD_SHARE = 0.3;

const isHex = (text: string): boolean => /^[0-9a-f]+$/i.test(text);
const hasBothCases = (text: string): boolean => /[a-z]/.test(text) && /[A-Z]/.test(text);

function repeatsItself(text: string): boolean {
  const seen = new Set<string>();
  for (let at = 0; at + MAX_REPEAT <= text.length; at += 1) {
    const part = text.slice(at, at + MAX_REPEAT);
    if (seen.has(part)) return true;
    seen.add(part);
  }
  return false;
}

/** `abcdef`, `987654`, `aaa`: most characters equal or neighbor the previous one. */
function isSequence(text: string): boolean {
  let steps = 0;
  for (let at = 1; at < text.length; at += 1) {
    if (Math.abs(text.charCodeAt(at) - text.charCodeAt(at - 1)) <= 1) steps += 1;
  }
  return steps * 2 > text.length;
}

const wordAt = (text: string, words: ReadonlySet<string>): string => {
  const [letters = ''] = /^[a-z]*/.exec(text) ?? [];
  for (let end = letters.length; end >= MIN_WORD; end -= 1) {
    if (words.has(letters.slice(0, end))) return letters.slice(0, end);
  }
  return '';
};

function wordShare(text: string): number {
  const words = new Set(Object.values(dictionary).flat());
  const lower = text.toLowerCase();
  let covered = 0;
  for (let at = 0; at < lower.length;) {
    const { length } = wordAt(lower.slice(at), words);
    covered += length;
    at += Math.max(1, length);
  }
  return covered / text.length;
}

function looksTyped(text: string): boolean {
  return (
    new Set(text).size < MIN_DISTINCT ||
    !(isHex(text) || hasBothCases(text)) ||
    repeatsItself(text) ||
    isSequence(text) ||
    wordShare(text) > MAX_WORD_SHARE
  );
}

/** Whether a key is not random: few distinct characters, repetition, sequences or words, also after base64url decoding. */
export function isGuessable(key: string): boolean {
  const decoded = Buffer.from(key, 'base64url').toString('latin1');
  const isText = /^[\x20-\x7e]+$/.test(decoded);
  return looksTyped(key) || (isText && looksTyped(decoded));
}
