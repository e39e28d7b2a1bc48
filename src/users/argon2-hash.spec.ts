import { hash } from '@node-rs/argon2';
import { describe, expect, test } from '@jest/globals';
import { argon2Floor, dummyHash, isWithinCostLimit, isBelowFloor } from './argon2-hash.js';

const rest = dummyHash.split('$').slice(4).join('$');
const hashWith = (cost: string): string => `$argon2id$v=19$${cost}$${rest}`;

describe('a password hash', () => {
  test('AUTH-03 is argon2id with 19456 KiB and two passes', async () => {
    expect(await hash('correct horse battery staple', argon2Floor)).toMatch(
      /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/,
    );
  });

  test('AUTH-04 below the minimum parameters is replaced, one above them is not', () => {
    expect(isBelowFloor(dummyHash)).toBe(false);
    expect(isBelowFloor(hashWith('m=65536,t=3,p=1'))).toBe(false);
    expect(isBelowFloor(hashWith('m=9216,t=4,p=1'))).toBe(true);
    expect(isBelowFloor(hashWith('m=19456,t=1,p=1'))).toBe(true);
  });

  test.each([
    hashWith('m=262145,t=2,p=1'),
    hashWith('m=19456,t=11,p=1'),
    hashWith('m=4294967295,t=2,p=1'),
    hashWith('m=19456,t=2,p=255'),
    '$argon2d$v=19$m=19456,t=2,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAA',
    '$2b$10$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy',
    '',
  ])('AUTH-05 with excessive parameters or of another kind is not computed: %s', (hostile) => {
    expect(isWithinCostLimit(hostile)).toBe(false);
  });

  test('with the maximum parameters is computed', () => {
    expect(isWithinCostLimit(hashWith('m=262144,t=10,p=4'))).toBe(true);
  });
});
