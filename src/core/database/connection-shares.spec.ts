import { expect, test } from '@jest/globals';
import { connectionsFor, MIN_POOL, poolShares } from './connection-shares.js';

const sizes = Array.from({ length: 100 - MIN_POOL + 1 }, (_, index) => MIN_POOL + index);

test.each(sizes)('of %i connections at least a fifth is left for other requests', (size) => {
  const shared = poolShares.map((share) => connectionsFor(share, size));
  expect(Math.min(...shared)).toBeGreaterThanOrEqual(1);
  expect(shared.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(0.8 * size);
});
