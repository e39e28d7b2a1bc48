import { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common';

/** Longest accepted input of a password field: longer than any rule allows, so that the rule's own error is returned. */
export const MAX_PASSWORD_INPUT = 512;

const MIN_LENGTH = 15;
const MAX_LENGTH = 128;
const MAX_BYTES = 512;

/** How often one would have to guess, as a power of ten: below the first a password is a common one or a variant of it. */
const TOO_FEW_GUESSES = 8;
/** For the same without its separators, where ordinary phrases score lower. */
const TOO_FEW_GUESSES_SQUEEZED = 6;
/** What must be left once the words that belong to the person or the service are taken out. */
const MIN_OWN_LENGTH = 8;
/** The matcher takes time by the square of the length; this much at once stays at a few milliseconds. */
const WINDOW = 32;

/** The tables are 4 MB, passwords are chosen seldom, and it is made again within 20 ms. */
let made: WeakRef<ZxcvbnFactory> | undefined;

/** No word lists but the passwords themselves: a phrase of ordinary words is what people should choose. */
function strength(): ZxcvbnFactory {
  const known = made?.deref();
  if (known !== undefined) return known;
  const factory = new ZxcvbnFactory({
    dictionary: { passwords: dictionary['passwords-common'] },
    graphs: adjacencyGraphs,
    // Ways to read l33t multiply; with the default of 100 one look takes ten times as long.
    l33tMaxSubstitutions: 8,
  });
  made = new WeakRef(factory);
  return factory;
}

const squeeze = (text: string): string => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');

/** A long one is common when it begins and ends like one (nobody puts a good middle between two bad ends). */
function isCommon(password: string, limit: number, words: string[]): boolean {
  const ends = password.length > WINDOW ? [password.slice(0, WINDOW), password.slice(-WINDOW)] : [password];
  return ends.every((end) => strength().check(end, words).guessesLog10 < limit);
}

/** Longest first, so that the address goes before its parts. */
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
 * Why this password (in NFKC) is not good enough, or undefined. `words` are what anybody would try first: the
 * product, the host, the person's name and address. There is no rule about which characters it has.
 */
export function validatePassword(password: string, words: readonly string[]): string | undefined {
  const { length } = [...password];
  if (length < MIN_LENGTH || length > MAX_LENGTH || Buffer.byteLength(password) > MAX_BYTES) {
    return `A password has ${MIN_LENGTH} to ${MAX_LENGTH} characters (at most ${MAX_BYTES} bytes).`;
  }
  const squeezed = squeeze(password);
  const known = ownWords(words);
  if (isMadeOf(squeezed, known)) {
    return 'This password is little more than a name, an address or the name of the service.';
  }
  const isVariant = squeezed.length >= MIN_OWN_LENGTH && squeezed.length < password.length;
  const isTried =
    isCommon(password, TOO_FEW_GUESSES, known) ||
    (isVariant && isCommon(squeezed, TOO_FEW_GUESSES_SQUEEZED, known));
  return isTried ? 'This password is one of the first that are tried: choose a less common one.' : undefined;
}
