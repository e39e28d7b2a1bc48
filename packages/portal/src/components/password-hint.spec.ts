import { init } from 'i18next';
import { beforeAll, describe, expect, test } from '@jest/globals';
import en from '../i18n/en.json' with { type: 'json' };
import { passwordHint } from './password-hint.js';

beforeAll(() =>
  init({ lng: 'en', resources: { en: { translation: en } }, keySeparator: false, nsSeparator: false }),
);

describe('passwordHint', () => {
  test.each([
    ['', '15 more characters required.'],
    ['abcdefghijklmn', '1 more character required.'],
    // Counted as the service counts: by characters, not by the two halves of an emoji.
    ['🦊🦊🦊🦊🦊🦊🦊🦊', '7 more characters required.'],
    ['x'.repeat(129), 'Use at most 128 characters.'],
  ])('%s has the wrong length', (password, text) => {
    expect(passwordHint(password)).toMatchObject({ isLongEnough: false, text });
  });

  test.each([
    ['ada.lovelace@vitrine.example', ['ada.lovelace@vitrine.example']],
    ['Vitrine Lovelace 2026', ['Ada Lovelace']],
  ])('%s is mostly a name', (password, words) => {
    expect(passwordHint(password, words).text).toMatch(/mostly a name/);
  });

  test('a repeated pattern is weak', () => {
    expect(passwordHint('abababababababab').text).toMatch(/repeated characters/);
  });

  test('a longer password scores higher', () => {
    const [short, long] = [passwordHint('lamp drinks tea'), passwordHint('violet lamp drinks tea')];
    expect(short).toEqual({ percent: 75, isLongEnough: true, text: 'Good' });
    expect(long.percent).toBe(100);
  });
});
