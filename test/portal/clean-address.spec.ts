import { expect, test } from '@jest/globals';
import { cleanAddress as inPortal, comparedAddress } from '../../packages/portal/src/access/clean-address.js';
import { canonicalEmail, cleanAddress, isEmailAddress } from '../../src/core/validation/email-address.js';

const pasted = [
  'mailto:ada@example.com',
  'MAILTO:ada@example.com?subject=Hello',
  '<ada@example.com>',
  '"ada@example.com"',
  "'ada@example.com'",
  '\u201eada@example.com\u201c',
  'ada@example.com.',
  '\u200eada@example.com\u200b',
  '\ufeff ada@exam\u00adple.com\u00a0',
  '<mailto:ada@example.com>',
];

test.each(pasted)('portal and service read the same address from %j', (text) => {
  expect([inPortal(text), cleanAddress(text)]).toEqual(['ada@example.com', 'ada@example.com']);
});

test.each(['"ada lovelace"@example.com', 'ada@example.com, ben@example.com', 'ada', ''])(
  '%j is not made an address',
  (text) => {
    expect(inPortal(text)).toBe(cleanAddress(text));
    expect(isEmailAddress(cleanAddress(text))).toBe(false);
  },
);

test('a long text is returned as it is, in both', () => {
  const long = '"'.repeat(100_000);
  expect(inPortal(long) === long && cleanAddress(long) === long).toBe(true);
});

test.each(['Ada@B\u00dcCHER.example', 'ada@xn--bcher-kva.example', '\uff41da@example.com', 'ada@localhost'])(
  'portal and service compare %j in the same form',
  (text) => {
    expect(comparedAddress(text)).toBe(canonicalEmail(text));
  },
);
