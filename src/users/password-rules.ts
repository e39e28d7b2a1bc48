import { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common';

/** Longest accepted input of a password field: longer than any rule allows, so that the rule's own error is returned. */
export const MAX_PASSWORD_INPUT = 512;

const MIN_LENGTH = 15;
const MAX_LENGTH = 128;
const MAX_BYTES = 512;

/** Minimum guesses, as a power of ten: a password below it is common or a variant of a common one. */
const TOO_FEW_GUESSES = 8;
/** Same for the password without separators, where ordinary phrases score lower. */
const TOO_FEW_GUESSES_SQUEEZED = 6;
/** Minimum length after removing words that belong to the user or the service. */
const MIN_OWN_LENGTH = 8;
/** The matcher is quadratic in the length; this window takes a few milliseconds. */
const WINDOW = 32;

/** Weak reference: the tables are 4 MB and rarely used, and rebuilding them takes less than 20 ms. */
let made: WeakRef<ZxcvbnFactory> | undefined;

/** Contains only common passwords, no other word lists: users should choose phrases of ordinary words. */
function strength(): ZxcvbnFactory {
  const known = made?.deref();
  if (known !== undefined) return known;
  const factory = new ZxcvbnFactory({
    dictionary: { passwords: dictionary['passwords-common'] },
    graphs: adjacencyGraphs,
    // The number of l33t substitutions multiplies; with the default of 100 a check takes ten times as long.
    l33tMaxSubstitutions: 8,
  });
  made = new WeakRef(factory);
  return factory;
}

const squeeze = (text: string): string => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');

/** A long password is common if both its start and its end are: a strong middle between two weak ends is unlikely. */
function isCommon(password: string, limit: number, words: string[]): boolean {
  const ends = password.length > WINDOW ? [password.slice(0, WINDOW), password.slice(-WINDOW)] : [password];
  return ends.every((end) => strength().check(end, words).guessesLog10 < limit);
}

/** Longest first, so that the address is removed before its parts. */
function ownWords(words: readonly string[]): string[] {
  const parts = words.flatMap((word) => [word, ...word.split(/[^\p{L}\p{N}]+/u)]);
  return [...new Set(parts.map(squeeze))]
    .filter((word) => word.length >= 3)
    .toSorted((a, b) => b.length - a.length);
}

function isMadeOf(squeezed: string, words: readonly string[]): boolean {
  const own = words.reduce((rest, word) => rest.replaceAll(word, ''), squeezed);
  return own !== squeezed && own.length < MIN_OWN_LENGTH;
}

/**
 * Returns why this password (in NFKC) is rejected, or undefined. `words` are obvious guesses: the product, the host,
 * the user's name and address. There are no composition rules.
 */
export function validatePassword(password: string, words: readonly string[]): string | undefined {
  const { length } = [...password];
  if (length < MIN_LENGTH || length > MAX_LENGTH || Buffer.byteLength(password) > MAX_BYTES) {
    return `A password must have ${MIN_LENGTH} to ${MAX_LENGTH} characters (at most ${MAX_BYTES} bytes).`;
  }
  const squeezed = squeeze(password);
  const known = ownWords(words);
  if (isMadeOf(squeezed, known)) {
    return 'This password is too similar to your name, your email address or the name of the service.';
  }
  const isVariant = squeezed.length >= MIN_OWN_LENGTH && squeezed.length < password.length;
  const isTried =
    isCommon(password, TOO_FEW_GUESSES, known) ||
    (isVariant && isCommon(squeezed, TOO_FEW_GUESSES_SQUEEZED, known));
  return isTried ? 'This password is too common. Choose a different password.' : undefined;
}
