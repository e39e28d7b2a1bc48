import { describe, expect, test } from 'vitest';
import { passwordHint } from './password-hint.js';

describe('passwordHint', () => {
  test.each([
    ['', '15 more characters needed.'],
    ['abcdefghijklmn', '1 more character needed.'],
    // Counted as the service counts: by characters, not by the two halves of an emoji.
    ['🦊🦊🦊🦊🦊🦊🦊🦊', '7 more characters needed.'],
    ['x'.repeat(129), 'At most 128 characters.'],
  ])('%s has the wrong length', (password, text) => {
    expect(passwordHint(password)).toMatchObject({ isLongEnough: false, text });
  });

  test.each([
    ['ada.lovelace@vitrine.example', ['ada.lovelace@vitrine.example']],
    ['Vitrine Lovelace 2026', ['Ada Lovelace']],
  ])('%s is little more than a name', (password, words) => {
    expect(passwordHint(password, words).text).toMatch(/little more than a name/);
  });

  test('a repeated pattern is weak', () => {
    expect(passwordHint('abababababababab').text).toMatch(/again and again/);
  });

  test('a longer password scores higher', () => {
    const [short, long] = [passwordHint('lamp drinks tea'), passwordHint('violet lamp drinks tea')];
    expect(short).toEqual({ percent: 75, isLongEnough: true, text: 'Long enough.' });
    expect(long.percent).toBe(100);
  });
});
