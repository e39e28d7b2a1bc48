import { readFileSync } from 'node:fs';
import { changeLanguage, use } from 'i18next';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { numbers } from '../../i18n/index.js';
import { summaryOf, type SyncRun } from './sync-texts.js';

const texts = (name: string) =>
  JSON.parse(readFileSync(new URL(`../../i18n/${name}.json`, import.meta.url), 'utf8')) as Record<
    string,
    string
  >;

beforeAll(() =>
  use(numbers).init({
    resources: { en: { translation: texts('en') }, de: { translation: texts('de/content') } },
    keySeparator: false,
    nsSeparator: false,
    interpolation: { escapeValue: false, alwaysFormat: true },
  }),
);
afterAll(() => changeLanguage('en'));

describe('the summary of a sync that could not read some workspaces', () => {
  test.each([
    ['en', 1, 12, "1 of 12 workspaces couldn't be read. It is unchanged, and the next sync tries it again."],
    [
      'en',
      2,
      12,
      "2 of 12 workspaces couldn't be read. They are unchanged, and the next sync tries them again.",
    ],
    [
      'de',
      1,
      12,
      '1 von 12 Arbeitsbereichen konnte nicht gelesen werden. Er ist unverändert; die nächste Synchronisierung versucht es erneut.',
    ],
    [
      'de',
      2,
      1200,
      '2 von 1.200 Arbeitsbereichen konnten nicht gelesen werden. Sie sind unverändert; die nächste Synchronisierung versucht es erneut.',
    ],
  ])('in %s, of %i of %i', async (language, failed, seen, text) => {
    await changeLanguage(language);
    const run = { status: 'partial', workspaces_seen: seen, workspaces_failed: failed } as SyncRun;
    expect(summaryOf(run)).toBe(text);
  });
});
