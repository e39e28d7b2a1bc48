import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from '@jest/globals';

const root = 'packages/portal/src';
const sources = new Map(
  globSync(`${root}/**/*.tsx`).map((file) => [file, readFileSync(file, 'utf8')] as const),
);
const dialogs = [...sources.keys()].filter((file) =>
  /<(Dialog|Drawer|OnceDialog)\b/.test(sources.get(file) ?? ''),
);

const importedBy = (file: string): string[] =>
  [...(sources.get(file) ?? '').matchAll(/(?:from|import\()\s*'(\.[^']+)\.js'/g)]
    .map(([, path = '']) => join(dirname(file), `${path}.tsx`))
    .filter((path) => sources.has(path));

/** The files that a dialog renders, its own included. */
function renderedBy(file: string, found = new Set<string>()): Set<string> {
  if (found.has(file)) return found;
  found.add(file);
  for (const path of importedBy(file)) renderedBy(path, found);
  return found;
}

const formsOf = (file: string): string[] =>
  [...(sources.get(file) ?? '').matchAll(/<form\b.*?<\/form>/gs)].map(([form]) => form);

const inDialogs = [...new Set(dialogs.flatMap((file) => [...renderedBy(file)]))].flatMap((file) =>
  formsOf(file).map((form) => [file.replace(`${root}/`, ''), form] as const),
);

test('there are forms in dialogs', () => expect(inDialogs.length).toBeGreaterThan(10));

test.each(inDialogs)('the form of %s has a Cancel button beside its submit button', (_file, form) => {
  expect(form).toContain('type="submit"');
  expect(form).toMatch(/<Button\b[^<]*onClick=\{[^<]*>\s*\{t\('Cancel'\)\}/);
});
