import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { readSettings } from '../../local/settings.js';
import { problemCatalogue } from '../../src/core/problems/problem-catalogue.js';
import { settings } from '../../src/core/config/config.js';
import { errorHelp } from '../../src/reference/errors.js';
import { built } from '../support/program.js';

const made = [
  'openapi.json',
  'ARCHITECTURE.md',
  'docs/configuration.md',
  'docs/errors.md',
  'docs/events.md',
  'docs/personal-data.md',
];
const codes = Object.keys(problemCatalogue);
const configuration = readFileSync('docs/configuration.md', 'utf8');
const errors = readFileSync('docs/errors.md', 'utf8');

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
  test('explains every code of the catalogue, and no other', () => {
    expect(Object.keys(errorHelp).toSorted()).toEqual(codes.toSorted());
    const headings = [...errors.matchAll(/^### (\S+)$/gm)].map(([, code = '']) => code);
    expect(headings.toSorted()).toEqual(codes.toSorted());
  });

  test('tells operators what to do about each failure that they can fix', () => {
    const theirs = codes.filter((code) => /^power_bi|_unavailable$|^internal_error$/.test(code));
    expect(theirs.length).toBeGreaterThan(10);
    const help: Record<string, { operator?: string }> = errorHelp;
    expect(theirs.filter((code) => help[code]?.operator === undefined)).toEqual([]);
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
