import { readFileSync } from 'node:fs';
import { changeLanguage, init } from 'i18next';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { translatedSentence } from './sentences.js';

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8');
const german = (name: string) => JSON.parse(read(`../i18n/de/${name}.json`)) as Record<string, string>;

beforeAll(() =>
  init({
    lng: 'de',
    resources: { de: { translation: { ...german('sentences'), ...german('onboarding') } } },
    keySeparator: false,
    nsSeparator: false,
    interpolation: { escapeValue: false },
  }),
);
afterAll(() => changeLanguage('en'));

test.each([
  ['The user is disabled.', 'Der Benutzer ist deaktiviert.'],
  [
    'The effective identity is ada@vitrine.example, in the roles Europe, Americas, with custom data.',
    'Die effektive Identität ist ada@vitrine.example, in den Rollen Europe, Americas, mit benutzerdefinierten Daten.',
  ],
  ['The certificate expires in less than a day', 'Das Zertifikat läuft in weniger als einem Tag ab'],
  ['The client secret expires in 1 day', 'Der geheime Clientschlüssel läuft in 1 Tag ab'],
  ['The client secret expires in 12 days', 'Der geheime Clientschlüssel läuft in 12 Tagen ab'],
  ['The effective identity is ada@vitrine.example.', 'Die effektive Identität ist ada@vitrine.example.'],
  [
    '3 datasets require an identity and have no policy: their reports cannot be opened.',
    '3 Datasets erfordern eine Identität und haben keine Richtlinie: Ihre Berichte können nicht geöffnet werden.',
  ],
  ['A sentence of a later version.', 'A sentence of a later version.'],
])('translates “%s”', (sentence, text) => {
  expect(translatedSentence(sentence)).toBe(text);
});

test('knows every sentence of the checks of the service', () => {
  const source = [
    'src/embed/effective-identity.ts',
    'src/embed/local-check.service.ts',
    'src/embed/power-bi-check.service.ts',
    'src/health/health.service.ts',
    'src/portal/onboarding/onboarding-checks.service.ts',
  ];
  const texts = source.flatMap((path) =>
    // A long sentence is on several lines.
    [
      ...read(`../../../../${path}`)
        .replaceAll(/' \+\n\s*'/g, '')
        .matchAll(/'((?:\d|[A-Z])[^'\n]* [^'\n]*\.)'/g),
    ].map(([, text = '']) => text),
  );
  expect(texts.length).toBeGreaterThan(30);
  expect(texts.filter((text) => translatedSentence(text) === text)).toEqual([]);
});
