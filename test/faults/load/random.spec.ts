import { expect, test } from '@jest/globals';
import { Random } from './random.js';

const numbers = (seed: number): number[] => {
  const random = new Random(seed);
  return Array.from({ length: 50 }, () => random.below(1_000));
};

test('the same seed gives the same numbers, another seed gives others', () => {
  expect(numbers(7)).toEqual(numbers(7));
  expect(numbers(7)).not.toEqual(numbers(8));
});

test('weighted choices have the given proportions', () => {
  const random = new Random(1);
  const drawn = Array.from({ length: 4_000 }, () => random.weighted({ often: 3, seldom: 1 }));
  const often = drawn.filter((name) => name === 'often').length;
  expect(often).toBeGreaterThan(2_800);
  expect(often).toBeLessThan(3_200);
});
