/** Somebody on a pasted list. */
export interface Listed {
  /** Of the pasted text, counted from 1. */
  line: number;
  email: string;
  name?: string;
}

export interface Refused {
  line: number;
  text: string;
  why: string;
}

export interface ParsedList {
  people: Listed[];
  refused: Refused[];
}

/** At once; who has more has a list for a script. */
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

/** The cells of a line of CSV, by whichever of the usual separators stands outside of quotes. */
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

type Person = Omit<Listed, 'line'>;

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

const whyNot = ({ email, name = '' }: Person): string | undefined => {
  if (email.length > 254) return 'The address is too long';
  return [...name].length > MAX_NAME ? 'The name is too long' : undefined;
};

/** What a pasted list says: whom to invite, and which lines are no use. */
export function parseList(text: string): ParsedList {
  const people: Listed[] = [];
  const refused: Refused[] = [];
  const seen = new Map<string, number>();
  for (const [index, raw] of text.split(/\r?\n/).entries()) {
    const line = index + 1;
    const content = raw.trim();
    if (content === '' || (index === 0 && cellsOf(content).some((cell) => isHeader.test(cell)))) continue;
    const found = peopleOf(content);
    if (found.length === 0) refused.push({ line, text: content, why: 'There is no e-mail address in it' });
    for (const person of found) {
      const key = person.email.normalize('NFKC').toLowerCase();
      const before = seen.get(key);
      const why = before === undefined ? whyNot(person) : `The same address as in line ${before}`;
      if (why === undefined) people.push({ line, ...person });
      else refused.push({ line, text: person.email, why });
      if (before === undefined) seen.set(key, line);
    }
  }
  return { people, refused };
}
