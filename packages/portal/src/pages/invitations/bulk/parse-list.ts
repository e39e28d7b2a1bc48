import { t } from 'i18next';

/** A user on a pasted list. */
export interface ListedUser {
  /** Line of the pasted text, counted from 1. */
  line: number;
  email: string;
  name?: string;
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

const address = /^[^\s@<>",;()[\]\\]+@[^\s@<>",;()[\]\\]+$/;
const angled = /^([^<>]*)<([^<>]*)>$/;
const isHeader = /^"?(e-?mail|mail|address|e-mail address|email address)"?$/i;

const bare = (text: string): string =>
  text
    .trim()
    .replace(/^"(.*)"$/s, '$1')
    .replaceAll('""', '"')
    .trim();

/** The cells of a line of CSV, by whichever of the usual separators occurs outside of quotes. */
function cellsOf(line: string): string[] {
  const separator = ['\t', ';', ','].find((each) => splitAt(line, each).length > 1);
  return (separator === undefined ? [line] : splitAt(line, separator)).map(bare);
}

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

type Person = Omit<ListedUser, 'line'>;

function mailboxOf(text: string): Person | undefined {
  const match = angled.exec(text.trim());
  if (match === null) return address.test(bare(text)) ? { email: bare(text) } : undefined;
  const [, name = '', email = ''] = match;
  if (!address.test(email.trim())) return undefined;
  return { email: email.trim(), ...(bare(name) !== '' && { name: bare(name) }) };
}

/** `a@x`, `Name <a@x>`, several of them with `;` or `,` between, or cells of which one is an address. */
function peopleOf(line: string): Person[] {
  const one = mailboxOf(line);
  if (one !== undefined) return [one];
  for (const separator of [';', ',']) {
    const parts = splitAt(line, separator).filter((part) => part.trim() !== '');
    const several = parts.map(mailboxOf);
    if (several.length > 0 && several.every((each) => each !== undefined)) return several;
  }
  const cells = cellsOf(line);
  const email = cells.find((cell) => address.test(cell));
  const name = cells.find((cell) => cell !== email && cell !== '' && !cell.includes('@'));
  return email === undefined ? [] : [{ email, ...(name !== undefined && { name }) }];
}

const rejectionOf = ({ email, name = '' }: Person): string | undefined => {
  if (email.length > 254) return t('The email address is too long');
  return [...name].length > MAX_NAME ? t('The name is too long') : undefined;
};

/** The users of a pasted list, and the lines that are rejected. */
export function parseList(text: string): ParsedList {
  const people: ListedUser[] = [];
  const rejected: Rejected[] = [];
  const seen = new Map<string, number>();
  for (const [index, raw] of text.split(/\r?\n/).entries()) {
    const line = index + 1;
    const content = raw.trim();
    if (content === '' || (index === 0 && cellsOf(content).some((cell) => isHeader.test(cell)))) continue;
    const found = peopleOf(content);
    if (found.length === 0) rejected.push({ line, text: content, reason: t('No email address found') });
    for (const person of found) {
      const key = person.email.normalize('NFKC').toLowerCase();
      const before = seen.get(key);
      const reason =
        before === undefined ? rejectionOf(person) : t('Duplicate of line {{line}}', { line: before });
      if (reason === undefined) people.push({ line, ...person });
      else rejected.push({ line, text: person.email, reason });
      if (before === undefined) seen.set(key, line);
    }
  }
  return { people, rejected };
}
