import { expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { mutants, patched } from './mutants.js';

const dist = join(import.meta.dirname, '../../dist');

const patch = { file: 'a.js', find: 'return x', replace: 'return y' };

test('a patch changes the one place that it matches', () => {
  expect(patched('if (a) return x;', patch)).toBe('if (a) return y;');
});

test.each([
  ['no text', 'return z'],
  ['two texts', 'return x; return x;'],
])('a patch that matches %s is rejected', (_name, text) => {
  expect(() => patched(text, patch)).toThrow('occurrences of');
});

test('each of the nine mutants exists once', () => {
  expect(mutants.map(({ id }) => id).join('')).toBe('abcdefghi');
});

test.each(mutants)('mutant $id can be applied to the built service', ({ patches }) => {
  for (const patch of patches) {
    const text = readFileSync(join(dist, patch.file), 'utf8');
    expect(patched(text, patch)).toContain(patch.replace);
  }
});
