import * as fc from 'fast-check';

/** Unusual and malicious strings. */
const strings = [
  '',
  ' ',
  'a\u0000b',
  '\ud800',
  '\u202Egnp.exe',
  '1e3',
  '0x10',
  '-1',
  '00',
  'null',
  'undefined',
  'true',
  '%',
  '_%\\',
  "' OR 1=1 --",
  '"; DROP TABLE users; --',
  '../../etc/passwd',
  '..%2f..',
  '{{email}}',
  '${7*7}',
  '<script>alert(1)</script>',
  'x@example.com\r\nBcc: y@example.com',
  'ada@example.com',
  '99999999999999999999999',
  '🙂'.repeat(60),
  'x'.repeat(5000),
  '__proto__',
];

/** Forms of time, of which PostgreSQL, JavaScript and ISO 8601 accept different ones. */
export const times = [
  '2026-11-21T00:00:00.000Z',
  '2099-12-31T23:59:59+14:00',
  '+275760-09-13T00:00:00.001Z',
  '2020',
  '2020-W01-1',
  '2020-001',
  '2099-02-30',
  '0000-01-01',
  '9999-12-31T23:59:59-23:59',
  '2099-01-01T24:00:00Z',
  '2099-01-01T10:00:00',
  'infinity',
  'now',
];

/** Names that are invisible, that reorder text, or that a mail client turns into a link. */
const names = [
  '\u200B',
  '\uFEFF\u2060',
  '\u2066a\u2069',
  'a\u2028b',
  'a\uFFFDb',
  'a\udc00',
  'Ada\r\nLovelace',
  'https://evil.example',
  'www.evil.example',
  'mailto:eve@evil.example',
  '👩‍👩‍👧',
  'x'.repeat(256),
];

export const hostileText = fc.oneof(
  fc.constantFrom(...strings, ...times, ...names),
  fc.string({ unit: 'binary', maxLength: 40 }),
);

const nested = (levels: number): unknown => (levels === 0 ? 1 : [nested(levels - 1)]);

export const anything: fc.Arbitrary<unknown> = fc.oneof(
  hostileText,
  fc.constantFrom(null, true, 0, -1, 1.5, 1e308, Number.MAX_SAFE_INTEGER, [], {}, [null], nested(30)),
  fc.jsonValue({ maxDepth: 3 }),
);
