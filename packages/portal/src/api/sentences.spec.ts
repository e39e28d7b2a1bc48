import { readFileSync } from 'node:fs';
import { changeLanguage, use } from 'i18next';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { numbers } from '../i18n/index.js';
import { translatedSentence } from './sentences.js';

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8');
const german = (name: string) => JSON.parse(read(`../i18n/de/${name}.json`)) as Record<string, string>;

beforeAll(() =>
  use(numbers).init({
    lng: 'de',
    resources: { de: { translation: { ...german('sentences'), ...german('onboarding') } } },
    keySeparator: false,
    nsSeparator: false,
    interpolation: { escapeValue: false, alwaysFormat: true },
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
  ['The client secret expires in 1 day', 'Das Clientgeheimnis läuft in 1 Tag ab'],
  ['The client secret expires in 12 days', 'Das Clientgeheimnis läuft in 12 Tagen ab'],
  ['The effective identity is ada@vitrine.example.', 'Die effektive Identität ist ada@vitrine.example.'],
  [
    '3 datasets require an identity and have no policy: their reports cannot be opened.',
    '3 Datasets erfordern eine Identität und haben keine Richtlinie: Ihre Berichte können nicht geöffnet werden.',
  ],
  [
    'No background job was fetched for 90 s: the log names the cause.',
    'Seit 90 s wurde kein Hintergrundauftrag abgerufen: Das Protokoll nennt die Ursache.',
  ],
  ['A sentence of a later version.', 'A sentence of a later version.'],
])('translates “%s”', (sentence, text) => {
  expect(translatedSentence(sentence)).toBe(text);
});

describe('numbers of a sentence', () => {
  const datasets = '1200 datasets require an identity and have no policy: their reports cannot be opened.';
  const seconds = 'Power BI is throttling requests for 3600 s';
  const role = 'The effective identity is 1200@vitrine.example, in the role 2026.';

  afterEach(() => changeLanguage('de'));

  test.each([
    ['de', datasets, /^1\.200 Datasets erfordern /],
    ['en', datasets, /^1,200 datasets require /],
    ['de', seconds, / für 3\.600 s$/],
    ['en', seconds, / for 3,600 s$/],
    ['de', role, / ist 1200@vitrine\.example, in der Rolle 2026\.$/],
    ['en', role, / is 1200@vitrine\.example, in the role 2026\.$/],
  ])('are grouped in %s if they are counts: %s', async (language, sentence, text) => {
    await changeLanguage(language);
    expect(translatedSentence(sentence)).toMatch(text);
  });
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
