import { expect, test } from '@jest/globals';
import { mutants, patched } from './mutants.js';

const patch = { file: 'a.js', find: 'return x', replace: 'return y' };

test('a patch changes the one place that it names', () => {
  expect(patched('if (a) return x;', patch)).toBe('if (a) return y;');
});

test.each([
  ['no place', 'return z'],
  ['two places', 'return x; return x;'],
])('a patch that fits %s is refused', (_name, text) => {
  expect(() => patched(text, patch)).toThrow('places like this one');
});

test('each of the nine mistakes is there once', () => {
  expect(mutants.map(({ id }) => id).join('')).toBe('abcdefghi');
});
