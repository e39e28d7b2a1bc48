import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { duration, readable, render, type Report } from './report.js';

test.each([
  [12.4, '12 ms'],
  [999, '999 ms'],
  [1022, '1 s'],
  [1234, '1.2 s'],
  [14_210, '14 s'],
])('%d ms is printed as %s', (ms, text) => {
  expect(duration(ms)).toBe(text);
});

test.each([
  ['7.199999999999999/s for 34 s', '7.2/s for 34 s'],
  ['100.00 % of 290', '100 % of 290'],
  ['45.5 ms from 10.9.9.9', '45.5 ms from 10.9.9.9'],
])('%j is printed as %j', (text, printed) => {
  expect(readable(text)).toBe(printed);
});

test('docs/faults.md is rendered from docs/faults.json: run `npm run faults -- --render docs/faults`', async () => {
  const report = JSON.parse(readFileSync('docs/faults.json', 'utf8')) as Report;
  expect(await render(report)).toBe(readFileSync('docs/faults.md', 'utf8'));
});
