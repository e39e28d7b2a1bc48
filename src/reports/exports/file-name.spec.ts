import { expect, test } from '@jest/globals';
import { attachment, fileNameOf } from './file-name.js';

test.each([
  ['Revenue overview', 'Revenue overview.pdf'],
  ['../../etc/passwd', 'etc passwd.pdf'],
  ['Umsatz: "Größe" <Q3>', 'Umsatz Größe Q3.pdf'],
  ['a\u202Egpj\r\nX: y', 'a gpj X y.pdf'],
  ['con', 'con_.pdf'],
  ['...', 'report.pdf'],
  ['😀'.repeat(200), `${'😀'.repeat(120)}.pdf`],
])('the file name of %j', (name, expected) => {
  expect(fileNameOf(name, '.pdf')).toBe(expected);
});

test('a header has an ASCII name and the whole one', () => {
  expect(attachment("Größe (it's).pdf")).toBe(
    `attachment; filename="Gr__e (it's).pdf"; filename*=UTF-8''Gr%C3%B6%C3%9Fe%20%28it%27s%29.pdf`,
  );
});
