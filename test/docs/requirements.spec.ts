import { globSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';

const id = /\b(?:AUTH|SES|JWT|AZ|IN|ERR|OUT|DUR|RACE|LOAD|LIFE|OBS|CFG|SUP)-\d\d\b/g;
const specs = globSync('{src,test,packages,emulator,embed,portal,local}/**/*spec.ts', {
  exclude: (path) => path.includes('node_modules'),
});
const explained = new Set(
  readFileSync('docs/requirements.md', 'utf8')
    .match(/^\| [A-Z]+-\d\d/gm)
    ?.map((row) => row.slice(2)),
);

describe('docs/requirements.md', () => {
  test('explains every requirement id that a test names', () => {
    const named = new Set(specs.flatMap((path) => readFileSync(path, 'utf8').match(id) ?? []));
    expect(named.size).toBeGreaterThan(100);
    expect([...named].filter((each) => !explained.has(each)).toSorted()).toEqual([]);
  });
});
