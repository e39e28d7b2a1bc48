import { t } from 'i18next';

const MIN_LENGTH = 15;
const MAX_LENGTH = 128;
const LONG = 20;
const FEW_SIGNS = 6;
/** Characters that must remain without the words that are tried first. */
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

/** Rates a new password while it is typed. Only the service knows the common passwords. */
export function passwordHint(password: string, words: readonly string[] = []): PasswordHint {
  const { length } = [...password.normalize('NFKC')];
  if (length < MIN_LENGTH) {
    const text = t('{{count}} more characters required.', { count: MIN_LENGTH - length });
    return { percent: (length / MIN_LENGTH) * 50, isLongEnough: false, text };
  }
  if (length > MAX_LENGTH) {
    return {
      percent: 0,
      isLongEnough: false,
      text: t('Use at most {{max}} characters.', { max: MAX_LENGTH }),
    };
  }
  if (isMadeOf(password, ['vitrine', ...words])) {
    return { percent: 25, isLongEnough: true, text: t('Weak: mostly a name or an email address.') };
  }
  if (new Set(squeeze(password)).size < FEW_SIGNS) {
    return { percent: 25, isLongEnough: true, text: t('Weak: mostly repeated characters.') };
  }
  return length < LONG
    ? { percent: 75, isLongEnough: true, text: t('Good') }
    : { percent: 100, isLongEnough: true, text: t('Strong') };
}
