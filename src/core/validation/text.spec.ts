import { describe, expect, test } from '@jest/globals';
import { canonicalName, cleanName, withoutInvisible } from './text.js';

describe('names', () => {
  test.each([
    '\uFEFFSales',
    '\u00ADSales',
    'Sa\u00ADles',
    '\u200BSales\u200E',
    'Sal\u200Ces',
    '\u200D\u200DSales',
    'Sales\uFE0F',
    '\u2060Sales\u{E0041}',
    ' \uFEFF Sales',
    'Sales\u3164',
  ])('%j is stored as it looks', (name) => {
    expect([canonicalName(name), cleanName(name)]).toEqual(['Sales', 'Sales']);
  });

  test.each([
    '👩‍👩‍👧',
    '❤️‍🔥 team',
    '1️⃣ First',
    '🏴\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F}',
    'می‌خواهم',
    'क्‍ष',
    '葛󠄀城',
  ])('%j keeps what its display needs', (name) => {
    expect(withoutInvisible(name)).toBe(name);
  });
});
