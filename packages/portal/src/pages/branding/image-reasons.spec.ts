import { readFileSync } from 'node:fs';
import { changeLanguage, init } from 'i18next';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { imageReason } from './image-reasons.js';

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8');

beforeAll(() =>
  init({
    lng: 'de',
    resources: { de: { translation: JSON.parse(read('../../i18n/de/branding.json')) as object } },
    keySeparator: false,
    nsSeparator: false,
    interpolation: { escapeValue: false },
  }),
);
afterAll(() => changeLanguage('en'));

test.each([
  ['the file is damaged', 'Die Datei ist beschädigt.'],
  [
    'the image has 4000 × 300 pixels; at most 2048 × 2048 are allowed',
    'Das Bild hat 4000 × 300 Pixel; höchstens 2048 × 2048 sind zulässig.',
  ],
  [
    'the SVG file contains the element <image>. Export the image as plain SVG with shapes, paths and text only',
    'Die SVG-Datei enthält das Element <image>. Exportieren Sie das Bild als einfaches SVG nur mit Formen, Pfaden und Text.',
  ],
  ['the SVG file contains the event handler onload', 'Die SVG-Datei enthält den Ereignishandler onload.'],
  [
    'the SVG file contains the attribute xml:base',
    'Die SVG-Datei enthält das Attribut xml:base, das nicht zulässig ist.',
  ],
  [
    'the SVG file contains the attribute d twice in one element',
    'Die Datei ist kein gültiges SVG-Bild in UTF-8.',
  ],
  ['the SVG file refers to itself', 'Die SVG-Datei ist zu komplex.'],
])('explains “%s”', (detail, text) => {
  expect(imageReason(detail)).toBe(text);
});

test('knows every reason of the service', () => {
  const service = '../../../../../src/platform/branding/';
  const rejected = ['svg.ts', 'xml.ts'].flatMap((name) =>
    [...read(service + name).matchAll(/\breject\(['`](.+?)['`]\)/g)].map(
      ([, why = '']) => `the SVG file ${why}`,
    ),
  );
  const others = [...read(`${service}image-file.ts`).matchAll(/['`](the (?:file|image) .+?)['`]/g)].map(
    ([, why = '']) => why,
  );
  expect(rejected.length).toBeGreaterThan(15);
  expect(others.length).toBe(3);
  const german = [...rejected, ...others].map((why) => imageReason(why.replaceAll(/\$\{.+?\}/g, 'x')));
  expect(german.filter((text) => text === undefined || /\b(the|The)\b/.test(text))).toEqual([]);
});
