import { expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { mutants, patched } from './mutants.js';

const dist = join(import.meta.dirname, '../../dist');

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

test.each(mutants)('mistake ($id) can be made in the service as it is built', ({ patches }) => {
  for (const patch of patches) {
    const text = readFileSync(join(dist, patch.file), 'utf8');
    expect(patched(text, patch)).toContain(patch.replace);
  }
});
