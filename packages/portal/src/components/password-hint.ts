const MIN_LENGTH = 15;
const MAX_LENGTH = 128;
const LONG = 20;
const FEW_SIGNS = 6;
/** What must be left without the words that anybody would try first. */
const MIN_OWN_LENGTH = 8;

export interface PasswordHint {
  /** 0 to 100. */
  percent: number;
  isLongEnough: boolean;
  text: string;
}

const squeeze = (text: string): string => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');

function isMadeOf(password: string, words: readonly string[]): boolean {
  const squeezed = squeeze(password);
  const parts = words.flatMap((word) => [squeeze(word), ...word.split(/[^\p{L}\p{N}]+/u).map(squeeze)]);
  const own = parts
    .filter((part) => part.length >= 3)
    .toSorted((a, b) => b.length - a.length)
    .reduce((rest, part) => rest.replaceAll(part, ''), squeezed);
  return own !== squeezed && own.length < MIN_OWN_LENGTH;
}

/** What can be said of a new password while it is typed. Whether it is a common one only the service knows. */
export function passwordHint(password: string, words: readonly string[] = []): PasswordHint {
  const { length } = [...password.normalize('NFKC')];
  if (length < MIN_LENGTH) {
    const missing = MIN_LENGTH - length;
    const text = `${missing} more ${missing === 1 ? 'character' : 'characters'} needed.`;
    return { percent: (length / MIN_LENGTH) * 50, isLongEnough: false, text };
  }
  if (length > MAX_LENGTH) {
    return { percent: 0, isLongEnough: false, text: `At most ${MAX_LENGTH} characters.` };
  }
  if (isMadeOf(password, ['vitrine', ...words])) {
    return { percent: 25, isLongEnough: true, text: 'Weak: little more than a name or an address.' };
  }
  if (new Set(squeeze(password)).size < FEW_SIGNS) {
    return { percent: 25, isLongEnough: true, text: 'Weak: the same few characters again and again.' };
  }
  return length < LONG
    ? { percent: 75, isLongEnough: true, text: 'Long enough.' }
    : { percent: 100, isLongEnough: true, text: 'Long. Good.' };
}
