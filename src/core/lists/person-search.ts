import { domainToASCII } from 'node:url';
import type { ObjectLiteral, SelectQueryBuilder } from 'typeorm';
import { NameSearch } from './name-search.js';

/** SQL expressions, which may have a trigram index. */
interface Columns {
  /** Folded. */
  name: string;
  email: string;
}

/** The term with its domain in ASCII, as addresses are stored; undefined if it has only ASCII, or contains no domain. */
function inAscii(q: string): string | undefined {
  // A number would be an IPv4 address.
  if (/^\p{ASCII}*$/u.test(q)) return undefined;
  const at = q.lastIndexOf('@') + 1;
  const domain = domainToASCII(q.slice(at).trim());
  const term = `${q.slice(0, at)}${domain}`;
  return domain === '' ? undefined : term;
}

/** SQL condition: the name or the email address contains the term, in either spelling of a domain. `add` returns the placeholder of a value. */
export function matchesPerson(q: string, { name, email }: Columns, add: (value: string) => string): string {
  const [search, value] = [new NameSearch(q), add(q)];
  const conditions = [name, email].map((key) => search.matchesIndexed(key, value, true));
  const ascii = inAscii(q);
  if (ascii !== undefined) conditions.push(new NameSearch(ascii).matchesIndexed(email, add(ascii), true));
  return `(${conditions.join(' OR ')})`;
}

/** Restricts a query to people with the term in their name or email address. */
export function searchPeople<T extends ObjectLiteral>(
  query: SelectQueryBuilder<T>,
  q: string | undefined,
  columns: Columns,
): void {
  if (q === undefined) return;
  const values: Record<string, string> = {};
  const add = (value: string): string => {
    const key = `q${Object.keys(values).length}`;
    values[key] = value;
    return `:${key}`;
  };
  query.andWhere(matchesPerson(q, columns, add), values);
}
