import { describe, expect, test } from '@jest/globals';
import { addressOf } from './client-ip.js';

describe('an entry of X-Forwarded-For', () => {
  test.each([
    ['203.0.113.7', '203.0.113.7'],
    ['203.0.113.7:50001', '203.0.113.7'],
    [' 203.0.113.7:80 ', '203.0.113.7'],
    ['2001:db8::1', '2001:db8::1'],
    ['[2001:db8::1]', '2001:db8::1'],
    ['[2001:db8::1]:443', '2001:db8::1'],
    ['::ffff:203.0.113.7', '::ffff:203.0.113.7'],
  ])('%s is %s', (entry, address) => {
    expect(addressOf(entry)).toBe(address);
  });

  test.each([
    '',
    'unknown',
    '_hidden',
    'example.com',
    'example.com:80',
    '203.0.113',
    '203.0.113.7:',
    '203.0.113.7:65536',
    '203.0.113.7:50001:1',
    '0x7f.0.0.1',
    '1',
    '[203.0.113.7]',
    '[203.0.113.7]:80',
    '[2001:db8::1]443',
    '[2001:db8::1',
    'fe80::1%eth0',
    '"[2001:db8::1]:443"',
    '203.0.113.7 198.51.100.1',
  ])('%j is no address', (entry) => {
    expect(addressOf(entry)).toBeUndefined();
  });
});
