import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { readSettings } from '../../local/settings.js';
import { problemCatalogue } from '../../src/core/problems/problem-catalogue.js';
import { settings } from '../../src/core/config/config.js';
import { built } from '../support/program.js';

const made = [
  'openapi.json',
  'ARCHITECTURE.md',
  'docs/configuration.md',
  'docs/events.md',
  'docs/personal-data.md',
];
const configuration = readFileSync('docs/configuration.md', 'utf8');
/** The sections of codes in `docs/errors.md`: each is its heading and its paragraphs. */
const sections = readFileSync('docs/errors.md', 'utf8')
  .split(/^### /m)
  .slice(1)
  .map((section) => section.split('\n\n'));

let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'vitrine-generate-'));
  mkdirSync(join(folder, 'docs'));
  // Without settings and without a database.
  await promisify(execFile)(process.execPath, [built('src/reference/generate.js'), folder], { env: {} });
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('generated files', () => {
  test.each(made)('%s is up to date: run `npm run generate` and commit', (name) => {
    expect(readFileSync(join(folder, name), 'utf8')).toBe(readFileSync(name, 'utf8'));
  });
});

describe('docs/errors.md', () => {
  test('explains every code of the catalogue with its status and title, and no other', () => {
    const entries = Object.entries(problemCatalogue);
    expect(sections.map(([code, title]) => `${code} ${title}`).toSorted()).toEqual(
      entries.map(([code, { status, title }]) => `${code} **${status}: ${title}.**`).toSorted(),
    );
  });

  test('tells callers what each code means and what to do', () => {
    const incomplete = sections.filter(
      ([, , meaning, action]) => !meaning || !/^- \*\*Caller\*\*: ./.test(action ?? ''),
    );
    expect(incomplete.map(([code]) => code)).toEqual([]);
  });

  test('tells operators what to do about each failure that they can fix', () => {
    const theirs = sections.filter(([code = '']) => /^power_bi|_unavailable$|^internal_error$/.test(code));
    expect(theirs.length).toBeGreaterThan(10);
    const incomplete = theirs.filter(([, , , action]) => !action?.includes('\n- **Admin or operator**: '));
    expect(incomplete.map(([code]) => code)).toEqual([]);
  });
});

describe('docs/operations.md', () => {
  test('says how to change each secret', () => {
    const [, table = ''] = readFileSync('docs/operations.md', 'utf8').split('\n## Changing secrets\n');
    const secrets = settings().filter(({ secret }) => secret);
    expect(secrets.length).toBeGreaterThan(8);
    const named = (name: string) => new RegExp(`^\\| [^|]*\`${name}\`[^|]* \\|`, 'm').test(table);
    expect(secrets.map(({ name }) => name).filter((name) => !named(name))).toEqual([]);
  });
});

describe('docs/configuration.md', () => {
  test('has a line for every variable, in a group', () => {
    const names = settings().map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(names.filter((name) => !configuration.includes(`\n| \`${name}\` `))).toEqual([]);
    expect(settings().filter(({ group, about }) => group === '' || about === '')).toEqual([]);
  });

  test('has the variables of each prefix in one group (D12)', () => {
    const groups = Map.groupBy(settings(), ({ name }) => name.split('_')[0] ?? '');
    const split = [...groups]
      .map(([prefix, members]) => [prefix, ...new Set(members.map(({ group }) => group))])
      .filter(({ length }) => length > 2);
    expect(split).toEqual([]);
    expect(groups.get('POWERBI')?.map(({ group }) => group)[0]).toBe('Power BI');
  });

  test('has every variable of the local start', () => {
    const asked = new Set<string>();
    readSettings(new Proxy({}, { get: (_, name: string) => void asked.add(name) }));
    asked.delete('NODE_ENV');
    expect(asked.size).toBeGreaterThan(4);
    expect([...asked].filter((name) => !configuration.includes(`\`${name}\``))).toEqual([]);
  });
});
