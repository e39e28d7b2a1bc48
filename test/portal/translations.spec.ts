import { globSync, readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { problemCatalogue } from '../../src/core/problems/problem-catalogue.js';
import { english, germanFiles, scan, scanPortal } from './translations.js';

const { keys, untranslated } = scanPortal();
const german = Object.assign({}, ...germanFiles().map(([, texts]) => texts)) as Record<string, string>;
const placeholders = (text: string) =>
  [...text.matchAll(/\{\{(\w+)|<\/?(\w+)/g)].map(([found]) => found).toSorted();
const base = (key: string) => key.replace(/_(one|other)$/, '');
const isPlural = (key: string) => key.includes('{{count}}');

test('the scan finds keys and texts that are not translated', () => {
  const found = scan(
    'example.tsx',
    `const words = msg('Later'); const a = <p title="Hover">{t('Key')}<Trans i18nKey="Rich <b>text</b>" />Plain {x ? 'Yes' : t('No')}</p>;`,
  );
  expect(found.keys.map(({ text }) => text)).toEqual(['Later', 'Key', 'Rich <b>text</b>', 'No']);
  expect(found.untranslated.map(({ text }) => text)).toEqual(['Hover', 'Plain', 'Yes']);
});

test('no text of the portal is written without t()', () => {
  expect(untranslated).toEqual([]);
});

test('keys are plain texts, not templates', () => {
  expect(keys.filter(({ text }) => text.startsWith('`'))).toEqual([]);
});

test('every key is translated into German, plurals in both forms', () => {
  const forms = (key: string) => (isPlural(key) ? [`${key}_one`, `${key}_other`] : [key]);
  expect(keys.filter(({ text }) => forms(text).some((form) => german[form] === undefined))).toEqual([]);
});

test('every English plural has a singular', () => {
  const plurals = keys.map(({ text }) => text).filter(isPlural);
  expect(plurals.filter((key) => english()[`${key}_one`] === undefined)).toEqual([]);
});

test('translations have the placeholders and tags of their key', () => {
  const sameParts = (text: string, key: string) =>
    JSON.stringify(placeholders(text)) === JSON.stringify(placeholders(base(key)));
  const differing = Object.entries({ ...english(), ...german }).filter(
    ([key, text]) => !sameParts(text, key) && !(isPlural(key) && key.endsWith('_one')),
  );
  expect(differing).toEqual([]);
});

test('a relative time, such as “in 2 days”, follows no preposition and no verb', () => {
  const texts = [...keys.map(({ text }) => text), ...Object.values(german)];
  const wrong = /\b(?:ab|am|at|bis|by|from|on|seit|since|um|until|von|vor) <(?:time|since|next) ?\/>/;
  expect(texts.filter((text) => wrong.test(text))).toEqual([]);
});

test('no translation is unused or differs between two files', () => {
  const used = new Set(keys.map(({ text }) => text));
  const isUsed = (key: string) => used.has(key) || used.has(base(key)) || key.startsWith('problem.');
  expect(Object.keys({ ...english(), ...german }).filter((key) => !isUsed(key))).toEqual([]);
  const differing = germanFiles().flatMap(([name, texts]) =>
    Object.entries(texts)
      .filter(([key, text]) => german[key] !== text)
      .map(([key]) => `${name}: ${key}`),
  );
  expect(differing).toEqual([]);
});

test('every problem has a German title, and no other problem or detail is translated', () => {
  const codes = [...Object.keys(problemCatalogue), 'unreachable', 'unexpected_response'];
  expect(codes.filter((code) => german[`problem.${code}`] === undefined)).toEqual([]);
  const service = globSync('src/**/*.ts').map((name) => readFileSync(name, 'utf8'));
  /** A detail, or one that a validator builds from the name of its property, or that has parts. */
  const forms = (text: string) => [
    text,
    text.replace(/^\w+/, '$property'),
    text.replace(/^url /, '').replace(/, unless WEBHOOK_ALLOWED_HOSTS contains the host$/, ''),
  ];
  const known = (text: string) =>
    codes.includes(text) || service.some((code) => forms(text).some((form) => code.includes(form)));
  const translated = Object.keys({ ...english(), ...german }).filter((key) => key.startsWith('problem.'));
  expect(translated.filter((key) => !known(key.slice('problem.'.length)))).toEqual([]);
});

test('texts have one word for each term, and one spelling', () => {
  const texts = [...keys.map(({ text }) => text), ...Object.values(english())];
  const replaced =
    /\badmins?\b(?! center)|\bpeople\b|(?<!\{)\bpersons?\b|\bcolors?\b|\bcanceled\b|\bfavorite|\bcatalog\b/;
  expect(texts.filter((text) => replaced.test(text))).toEqual([]);
  const replacedInGerman = /Kennw[oö]rt|Zugriffsanforderung|Administration\b|\bAdmins\b/;
  expect(Object.values(german).filter((text) => replacedInGerman.test(text))).toEqual([]);
});
