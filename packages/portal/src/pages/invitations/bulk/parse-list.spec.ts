import { readFileSync } from 'node:fs';
import i18next, { changeLanguage, init } from 'i18next';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
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
      '4: Not the email address of a user',
      '5: Not the email address of a user',
    ]);
  });

  const entra =
    'version:v1.0\nEmail address to invite [inviteeEmail] Required,Redirection url [inviteRedirectURL] Required,' +
    'Send invitation message (true or false) [sendEmail],Customized invitation message [customizedMessageBody]\n';
  const review =
    'user_id,user_name,user_email,user_status,resource_type,resource_id,resource_name,workspace_id,workspace_name,role,path\n';
  const id = '0195e5a0-0000-7000-8000-000000000006';
  test.each([
    [`${entra}ada@example.com,https://myapps.microsoft.com,TRUE,Hello Ada`, 'ada@example.com'],
    ['id,name,email\n17,Ada Lovelace,ada@example.com', 'Ada Lovelace|ada@example.com'],
    ['First;Last;E-mail\nAda;Lovelace;ada@example.com', 'Ada Lovelace|ada@example.com'],
    ['Name;Vorname;E-Mail-Adresse\nLovelace;Ada;ada@example.com', 'Ada Lovelace|ada@example.com'],
    ['Department,Email\nSales,ada@example.com', 'ada@example.com'],
    ['Department,Address,Mail,Display name\nSales,1 Main St,ada@example.com,Ada', 'Ada|ada@example.com'],
    [`${review}${id},Ada,ada@example.com,active,report,${id},Q3,${id},Sales,viewer,`, 'Ada|ada@example.com'],
    ['\ufeffEmail addresses\nAda <ada@example.com>', 'Ada|ada@example.com'],
    ['name,email\n4711,ada@example.com', 'ada@example.com'],
  ])('reads the columns of the header in %j', (text, person) => {
    expect(peopleOf(text)).toEqual([person]);
    expect(rejectedOf(text)).toEqual([]);
  });

  test.each([
    ['ada@example.com,https://myapps.microsoft.com,TRUE', 'ada@example.com'],
    ['17;ada@example.com', 'ada@example.com'],
    [`${id}\tada@example.com`, 'ada@example.com'],
    ['Ada;Lovelace;ada@example.com', 'Ada Lovelace|ada@example.com'],
  ])('takes no URL, number or id as a name from %j', (line, person) => {
    expect(peopleOf(line)).toEqual([person]);
  });

  test.each([
    'ada@example.com, ben@example.com; carol@example.com',
    'ada@example.com ben@example.com\tcarol@example.com',
    'ada@example.com;ben@example.com;Sales;carol@example.com',
  ])('reads every address of the line %j', (line) => {
    expect(peopleOf(line)).toEqual(['ada@example.com', 'ben@example.com', 'carol@example.com']);
  });

  test('refuses each text with @ that is no address, with its line', () => {
    const text = 'ada@example.com, ben@@example.com\nCarol carol@example.com';
    expect(peopleOf(text)).toEqual(['ada@example.com']);
    expect(parseList(text).rejected).toMatchObject([
      { line: 1, text: 'ben@@example.com' },
      { line: 2, text: 'Carol carol@example.com' },
    ]);
    const table = 'Email,Manager\nada@example.com,boss@example.com\nben@example.com,ben@example.com';
    expect(peopleOf(table)).toEqual(['ada@example.com', 'ben@example.com']);
    expect(parseList(table).rejected).toMatchObject([{ line: 2, text: 'boss@example.com' }]);
  });

  test('reads the role of each line, in any case and language of the portal', () => {
    const roles = (text: string) => parseList(text).people.map(({ email, role }) => `${email}|${role}`);
    const table =
      'Email,Role\nada@example.com,Editor\nben@example.com,MANAGER\ncarol@example.com,\ndan@example.com,viewer';
    expect(roles(table)).toEqual([
      'ada@example.com|editor',
      'ben@example.com|manager',
      'carol@example.com|undefined',
      'dan@example.com|viewer',
    ]);
    expect(roles('ada@example.com,Editor')).toEqual(['ada@example.com|undefined']);
    expect(rejectedOf('E-Mail;Rolle\nada@example.com;Owner\nben@example.com;editor')).toEqual([
      '2: Unknown role “Owner”: use viewer, editor or manager',
    ]);
  });

  test('the same address with another spelling of its domain is a duplicate', () => {
    expect(rejectedOf('ada@b\u00fccher.example\nada@xn--bcher-kva.example')).toEqual([
      '2: Duplicate of line 1',
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

describe('parseList in German', () => {
  const german = (name: string) =>
    JSON.parse(readFileSync(new URL(`../../../i18n/de/${name}.json`, import.meta.url), 'utf8')) as object;

  beforeAll(async () => {
    i18next.addResourceBundle('de', 'translation', { ...german('access'), ...german('invitations') });
    await changeLanguage('de');
  });
  afterAll(() => changeLanguage('en'));

  test('reads each role by the name that its error suggests', () => {
    expect(rejectedOf('E-Mail;Rolle\nada@example.com;Owner')).toEqual([
      '2: Unbekannte Rolle „Owner“: Verwenden Sie Betrachter, Bearbeiter oder Manager',
    ]);
    const table =
      'E-Mail;Rolle\nada@example.com;Betrachter\nben@example.com;Bearbeiter\ncarol@example.com;Manager';
    expect(parseList(table).people.map(({ role }) => role)).toEqual(['viewer', 'editor', 'manager']);
  });
});
