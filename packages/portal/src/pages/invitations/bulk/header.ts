/** The columns of a list with a header line, as indexes of its cells. */
export interface Columns {
  email: number;
  full: number;
  first: number;
  last: number;
  /** Of the access, not of the person. */
  role: number;
}

const emails = ['email', 'mail', 'emailaddress', 'emailadresse', 'useremail', 'address', 'adresse'];
const looseEmail = /email|userprincipalname|^upn$|courriel/;
const fullNames = ['name', 'fullname', 'displayname', 'username', 'anzeigename', 'vollständigername'];
const firstNames = ['first', 'firstname', 'givenname', 'forename', 'vorname', 'prénom'];
const lastNames = ['last', 'lastname', 'surname', 'familyname', 'nachname', 'familienname'];

const roles = ['role', 'rolle', 'accessrole', 'workspacerole'];

const normalized = (cell: string): string => cell.toLowerCase().replaceAll(/[\s_-]/g, '');

/** Undefined for a line that is no header. A header contains no address, and names the column of the addresses. */
export function columnsOf(cells: readonly string[]): Columns | undefined {
  const names = cells.map(normalized);
  const indexOf = (known: readonly string[]): number =>
    names.indexOf(known.find((name) => names.includes(name)) ?? '-');
  const exact = indexOf(emails);
  const email = exact === -1 ? names.findIndex((name) => looseEmail.test(name)) : exact;
  if (email === -1 || cells.some((cell) => cell.includes('@'))) return undefined;
  return {
    email,
    full: indexOf(fullNames),
    first: indexOf(firstNames),
    last: indexOf(lastNames),
    role: indexOf(roles),
  };
}

/** `version:v1.0` above the header of Entra's template for bulk invitations. */
export const isPreamble = (line: string): boolean => /^version:/i.test(line);

const word = /^\p{L}[^\d\s]*$/u;

/** Whether a cell can be the name of a person: no address, URL, number, id or truth value. */
export function isNameLike(cell: string): boolean {
  if (/[@\\]|:\/\/|^www\./i.test(cell) || /^(true|false|yes|no|ja|nein)$/i.test(cell)) return false;
  return word.test(cell) || (/\p{L}/u.test(cell) && /\s/.test(cell));
}

/** The name in a row of a list with a header. */
export function nameIn(cells: readonly string[], { full, first, last }: Columns): string | undefined {
  const [whole = '', given = '', family = ''] = [full, first, last]
    .map((index) => cells[index] ?? '')
    .map((cell) => (isNameLike(cell) ? cell : ''));
  // Beside a column of first names, `Name` alone is the surname.
  const isSurname = first !== -1 && last === -1 && !whole.includes(given);
  const name = whole === '' || isSurname ? [given, family || whole].filter(Boolean).join(' ') : whole;
  return name === '' ? undefined : name;
}

/** The name in a line without a header: in front of the address, else right behind it. */
export function nameNextTo(cells: readonly string[], address: number): string | undefined {
  const before = cells.slice(0, address).filter((cell) => cell !== '');
  if (before.length === 2 && before.every((cell) => word.test(cell))) return before.join(' ');
  const candidate = before.findLast(isNameLike) ?? cells[address + 1] ?? '';
  return isNameLike(candidate) ? candidate : undefined;
}
