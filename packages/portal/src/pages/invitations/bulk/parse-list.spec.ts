import { init } from 'i18next';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { parseList } from './parse-list.js';

beforeAll(() => init({ lng: 'en', keySeparator: false, nsSeparator: false }));

const peopleOf = (text: string) =>
  parseList(text).people.map(({ email, name }) => (name === undefined ? email : `${name}|${email}`));
const rejectedOf = (text: string) => parseList(text).rejected.map(({ line, reason }) => `${line}: ${reason}`);

describe('parseList', () => {
  test.each([
    ['ada@example.com', 'ada@example.com'],
    ['  ada@example.com\t', 'ada@example.com'],
    ['<ada@example.com>', 'ada@example.com'],
    ['Ada Lovelace <ada@example.com>', 'Ada Lovelace|ada@example.com'],
    ['"Lovelace, Ada" <ada@example.com>', 'Lovelace, Ada|ada@example.com'],
    ['ada@example.com,Ada Lovelace', 'Ada Lovelace|ada@example.com'],
    ['Ada Lovelace;ada@example.com', 'Ada Lovelace|ada@example.com'],
    ['Ada Lovelace\tada@example.com\tSales', 'Ada Lovelace|ada@example.com'],
    ['"Lovelace, ""the"" Ada","ada@example.com"', 'Lovelace, "the" Ada|ada@example.com'],
    ['ada@localhost', 'ada@localhost'],
  ])('reads one person from %j', (line, person) => {
    expect(peopleOf(line)).toEqual([person]);
  });

  test.each([
    'Ada <ada@example.com>; Ben <ben@example.com>;',
    'Ada <ada@example.com>, Ben <ben@example.com>',
    'Ada <ada@example.com>\r\n\r\nBen <ben@example.com>\n',
    'name,email\nAda,ada@example.com\nBen,ben@example.com',
    '"E-Mail";"Name"\nada@example.com;Ada\nben@example.com;Ben',
  ])('reads two people from %j', (text) => {
    expect(peopleOf(text)).toEqual(['Ada|ada@example.com', 'Ben|ben@example.com']);
    expect(rejectedOf(text)).toEqual([]);
  });

  test('reports the number and the reason of each invalid line', () => {
    const text = 'ada@example.com\nAda Lovelace\nADA@Example.com\nben@\na b@example.com';
    expect(peopleOf(text)).toEqual(['ada@example.com']);
    expect(rejectedOf(text)).toEqual([
      '2: No email address found',
      '3: Duplicate of line 1',
      '4: No email address found',
      '5: No email address found',
    ]);
  });

  test('rejects addresses and names that the service would reject', () => {
    expect(rejectedOf(`${'a'.repeat(250)}@example.com`)).toEqual(['1: The email address is too long']);
    expect(rejectedOf(`${'a'.repeat(201)} <ada@example.com>`)).toEqual(['1: The name is too long']);
  });

  test('reads no people from an empty list', () => {
    expect(parseList(' \n\n')).toEqual({ people: [], rejected: [] });
  });
});
