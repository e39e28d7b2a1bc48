import { globSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';

const requirement = /\b(?:AUTH|SES|JWT|AZ|IN|ERR|OUT|DUR|RACE|LOAD|LIFE|OBS|CFG|SUP)-\d\d\b/g;
/** For example `(D4, D13)`. */
const reviewed = /\((?:[HMLD]\d+(?:, )?)+\)/g;
const tests = globSync('{src,test,packages,local,bench}/**/*{spec.ts,spec.tsx,overload.ts}', {
  exclude: (path) => path.includes('node_modules'),
});
const texts = tests.map((path) => readFileSync(path, 'utf8'));
const used = new Set([
  ...texts.flatMap((text) => text.match(requirement) ?? []),
  ...texts.flatMap((text) => text.match(reviewed) ?? []).flatMap((ids) => ids.match(/\w+/g) ?? []),
]);
const listed = [...readFileSync('docs/requirements.md', 'utf8').matchAll(/^\| ([A-Z]+-?\d+) /gm)].map(
  ([, id = '']) => id,
);

describe('docs/requirements.md', () => {
  test('lists every id that a test or benchmark names', () => {
    expect(used.size).toBeGreaterThan(200);
    expect([...used].filter((id) => !listed.includes(id)).toSorted()).toEqual([]);
  });

  test('lists no id that is not used, and each id once', () => {
    expect(listed.filter((id) => !used.has(id))).toEqual([]);
    expect(listed).toHaveLength(new Set(listed).size);
  });
});
