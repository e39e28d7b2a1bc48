import { t } from 'i18next';
import { cleanAddress, comparedAddress } from '../../../access/clean-address.js';
import { type WorkspaceRole, workspaceRoles } from '../../../access/roles.js';
import { type Columns, columnsOf, isNameLike, isPreamble, nameIn, nameNextTo } from './header.js';

/** A user on a pasted list. */
export interface ListedUser {
  /** Line of the pasted text, counted from 1. */
  line: number;
  email: string;
  name?: string;
  /** In place of the role that the form gives. */
  role?: WorkspaceRole;
}

export interface Rejected {
  line: number;
  text: string;
  reason: string;
}

export interface ParsedList {
  people: ListedUser[];
  rejected: Rejected[];
}

/** Longer lists need the API. */
export const MAX_PEOPLE = 1000;
const MAX_NAME = 200;
const separators = ['\t', ';', ','] as const;

const address = /^[^\s@<>",;()[\]\\]+@[^\s@<>",;()[\]\\]+$/;
const angled = /^([^<>]*)<([^<>]*)>$/;

const bare = (text: string): string =>
  text
    .trim()
    .replace(/^"(.*)"$/s, '$1')
    .replaceAll('""', '"')
    .trim();

/** Not within quotes or angle brackets. */
function splitAt(line: string, separator: string): string[] {
  const parts = [''];
  let quoted = false;
  for (const character of line) {
    if (character === '"') quoted = !quoted;
    if (character === separator && !quoted) parts.push('');
    else parts[parts.length - 1] += character;
  }
  return parts;
}

/** Whichever of the usual separators occurs outside of quotes. */
const separatorOf = (line: string): string =>
  separators.find((each) => splitAt(line, each).length > 1) ?? ',';

const cellsOf = (line: string, separator = separatorOf(line)): string[] => splitAt(line, separator).map(bare);

interface Person extends Omit<ListedUser, 'line'> {
  unknownRole?: string;
}

/** What a line contains: people, and the texts with `@` that are no address. */
interface Found {
  people: Person[];
  invalid: string[];
}

/** `a@x` or `Name <a@x>`. */
function mailboxOf(text: string): Person | undefined {
  const match = angled.exec(text.trim());
  const [name, given] = match === null ? ['', bare(text)] : [bare(match[1] ?? ''), match[2] ?? ''];
  const email = cleanAddress(given);
  if (!address.test(email)) return undefined;
  return { email, ...(isNameLike(name) && { name }) };
}

/** One mailbox, or several with separators or spaces between. */
function mailboxesIn(text: string): Found {
  const one = mailboxOf(text);
  if (one !== undefined) return { people: [one], invalid: [] };
  const words = text.split(/\s+/).filter((word) => word !== '');
  const separator = separators.find((each) => splitAt(text, each).length > 1);
  const isList = words.length > 1 && words.every((word) => word.includes('@'));
  if (separator === undefined && !isList)
    return { people: [], invalid: text.includes('@') ? [text.trim()] : [] };
  const parts = separator === undefined ? words : splitAt(text, separator);
  return joined(parts.map(mailboxesIn));
}

const joined = (all: readonly Found[]): Found => ({
  people: all.flatMap(({ people }) => people),
  invalid: all.flatMap(({ invalid }) => invalid),
});

/** A line of a list without a header: a mailbox, a list of them, or cells of which one is an address. */
function foundIn(line: string): Found {
  const found = mailboxesIn(line);
  const [only, ...others] = found.people;
  if (only === undefined || others.length > 0 || only.name !== undefined) return found;
  const cells = cellsOf(line);
  const at = cells.findIndex((cell) => cleanAddress(cell) === only.email);
  const name = at === -1 ? undefined : nameNextTo(cells, at);
  return { ...found, people: [{ ...only, ...(name !== undefined && { name }) }] };
}

/** By its value or its name in the portal. */
function roleIn(cell: string): Pick<Person, 'role' | 'unknownRole'> {
  if (cell === '') return {};
  const names = ({ value, label }: (typeof workspaceRoles)[number]) => [value, t(label).toLowerCase()];
  const role = workspaceRoles.find((each) => names(each).includes(cell.toLowerCase()))?.value;
  return role === undefined ? { unknownRole: cell } : { role };
}

/** A row of a list with a header: the other columns hold no people. */
function foundInRow(cells: readonly string[], columns: Columns): Found {
  const found = mailboxesIn(cells[columns.email] ?? '');
  const [only, ...more] = found.people;
  const name = nameIn(cells, columns);
  const isOne = only !== undefined && more.length === 0 && name !== undefined;
  const role = roleIn(cells[columns.role] ?? '');
  const people = (isOne ? [{ ...only, name }] : found.people).map((person) => ({ ...person, ...role }));
  const known = new Set(people.map(({ email }) => comparedAddress(email)));
  const others = joined(cells.filter((_, index) => index !== columns.email).map(mailboxesIn));
  const elsewhere = others.people.map(({ email }) => email);
  const unknown = elsewhere.filter((email) => !known.has(comparedAddress(email)));
  return { people, invalid: [...found.invalid, ...others.invalid, ...unknown] };
}

const rejectionOf = ({ email, name = '', unknownRole }: Person): string | undefined => {
  if (unknownRole !== undefined)
    return t('Unknown role “{{role}}”: use viewer, editor or manager', { role: unknownRole });
  if (email.length > 254) return t('The email address is too long');
  return [...name].length > MAX_NAME ? t('The name is too long') : undefined;
};

/** Reads the lines with the columns of their header, if the first line is one. */
function* linesOf(text: string): Generator<{ line: number; content: string; found: Found }> {
  let reader: ((content: string) => Found) | undefined;
  for (const [index, raw] of text.split(/\r\n|\r|\n/).entries()) {
    const content = raw.replaceAll('\ufeff', '').trim();
    if (content === '' || (reader === undefined && isPreamble(content))) continue;
    if (reader === undefined) {
      const separator = separatorOf(content);
      const header = cellsOf(content, separator);
      const columns = columnsOf(header);
      const isTable = columns !== undefined && header.length > 1;
      reader = isTable ? (row) => foundInRow(cellsOf(row, separator), columns) : foundIn;
      if (columns !== undefined) continue;
    }
    yield { line: index + 1, content, found: reader(content) };
  }
}

/** The users of a pasted list, and the lines that are rejected. */
export function parseList(text: string): ParsedList {
  const people: ListedUser[] = [];
  const rejected: Rejected[] = [];
  const seen = new Map<string, number>();
  for (const { line, content, found } of linesOf(text)) {
    if (found.people.length + found.invalid.length === 0)
      rejected.push({ line, text: content, reason: t('No email address found') });
    for (const invalid of found.invalid)
      rejected.push({ line, text: invalid, reason: t('Not the email address of a user') });
    for (const person of found.people) {
      const key = comparedAddress(person.email);
      const before = seen.get(key);
      const reason =
        before === undefined
          ? rejectionOf(person)
          : t('Duplicate of line {{line}}', { line: String(before) });
      if (reason === undefined) people.push({ line, ...person });
      else rejected.push({ line, text: person.email, reason });
      if (before === undefined) seen.set(key, line);
    }
  }
  return { people, rejected };
}
