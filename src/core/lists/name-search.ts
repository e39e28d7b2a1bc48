import type { ObjectLiteral, SelectQueryBuilder } from 'typeorm';
import type { Parameters } from '../database/execute.js';
import { foldName, nameKeyOf } from './fold-name.js';

/**
 * Characters that may precede a word: every character below U+00C0 except letters and digits. Listed explicitly,
 * because `[:alnum:]` depends on the locale of the database, and because pg_trgm uses no index for a class of more
 * than 256 characters.
 */
export const separators = String.raw`[\u0001-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00a9\u00ab-\u00b4\u00b6-\u00b9\u00bb-\u00bf]`;

const isShort = (q: string): boolean => /^[\p{L}\p{N}](\p{M}?|[\p{L}\p{N}])$/u.test(q);

/** SQL expression: the term of a placeholder, in the form of `name_key`. */
export const termOf = (placeholder: string): string => `fold_name(CAST(${placeholder} AS text))`;

/** SQL expression: a term in which the wildcards of LIKE match themselves. Escaped after folding, which may produce wildcards. */
export const escapeLike = (term: string): string =>
  String.raw`regexp_replace(${term}, '([\\%_])', '\\\1', 'g')`;

/**
 * Search for a part of a name without regard to case and accents: one or two letters or digits match the beginnings of words,
 * any other term matches anywhere. Compares with `name_key` and other folded names.
 */
export class NameSearch {
  private readonly isShort: boolean;
  private readonly hasTrigrams: boolean;

  /** `value` is the value of the placeholder. */
  constructor(readonly value: string) {
    const term = foldName(value);
    this.isShort = isShort(term);
    // Whether the term has trigrams in every locale. For a term without any, PostgreSQL would read the whole trigram index.
    this.hasTrigrams = (this.isShort ? /^[a-z0-9]+$/ : /[a-z0-9]{3}/).test(term);
  }

  /** Returns the SQL condition for a column of folded names. */
  matches(key: string, placeholder: string): string {
    const term = termOf(placeholder);
    const isPart = `${key} LIKE '%' || ${escapeLike(term)} || '%'`;
    // LIKE comes first because it rejects non-matching names faster.
    return this.isShort ? `(${isPart} AND ${key} ~ ('(^|${separators})' || ${term}))` : isPart;
  }

  /** The same for a column with a trigram index. The concatenation prevents PostgreSQL from using the index. */
  matchesIndexed(key: string, placeholder: string, usesIndex: boolean): string {
    return this.matches(this.indexed(key, usesIndex), placeholder);
  }

  /** The column as a condition on its trigrams must name it. */
  indexed(key: string, usesIndex: boolean): string {
    return usesIndex && this.hasTrigrams ? key : `(${key} || '')`;
  }
}

/** SQL condition: whether a column of folded names contains the term, if there is one. */
export function matchesName(q: string | undefined, key: string, parameters: Parameters): string {
  const search = q === undefined ? undefined : new NameSearch(q);
  return search?.matches(key, parameters.add(search.value)) ?? 'TRUE';
}

/** Restricts a query to rows with the term in at least one of these columns. */
export function searchNames<T extends ObjectLiteral>(
  query: SelectQueryBuilder<T>,
  q: string | undefined,
  ...columns: string[]
): void {
  if (q === undefined) return;
  const search = new NameSearch(q);
  const conditions = columns.map((column) => search.matchesIndexed(nameKeyOf(column), ':q', true));
  query.andWhere(`(${conditions.join(' OR ')})`, { q: search.value });
}
