import type { ObjectLiteral, SelectQueryBuilder } from 'typeorm';

/**
 * Characters that may precede a word: every character below U+00C0 except letters and digits. Listed explicitly,
 * because `[:alnum:]` depends on the locale of the database, and because pg_trgm uses no index for a class of more
 * than 256 characters.
 */
export const separators = String.raw`[\u0001-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00a9\u00ab-\u00b4\u00b6-\u00b9\u00bb-\u00bf]`;

const isShort = (q: string): boolean => /^[\p{L}\p{N}](\p{M}?|[\p{L}\p{N}])$/u.test(q);

/** Escapes the wildcards of LIKE in a search term. */
export const escapeLike = (q: string): string => q.replaceAll(/[\\%_]/g, String.raw`\$&`);

/** Lower case as in `name_key`. */
export const lowerSql = (text: string): string => `(lower(${text} COLLATE "und-x-icu") COLLATE "default")`;

/**
 * Case-insensitive search for a part of a name: one or two letters or digits match the beginnings of words, any other
 * term matches anywhere. Case folding follows Unicode in every database locale, as in `name_key`.
 */
export class NameSearch {
  /** Value for the placeholder. */
  readonly value: string;
  private readonly isShort: boolean;
  private readonly hasTrigrams: boolean;

  constructor(q: string) {
    this.isShort = isShort(q);
    this.value = this.isShort ? q : `%${escapeLike(q)}%`;
    // Whether the term has trigrams in every locale. For a term without any, PostgreSQL would read the whole trigram index.
    this.hasTrigrams = (this.isShort ? /^[a-z0-9]+$/i : /[a-z0-9]{3}/i).test(q);
  }

  /** Returns the SQL condition for a column of lower-case names. */
  matches(key: string, placeholder: string): string {
    const term = lowerSql(placeholder);
    if (!this.isShort) return `${key} LIKE ${term}`;
    // LIKE comes first because it rejects non-matching names faster.
    return `(${key} LIKE '%' || ${term} || '%' AND ${key} ~ ('(^|${separators})' || ${term}))`;
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

/** Restricts a query to rows with the term in at least one of these columns. */
export function searchNames<T extends ObjectLiteral>(
  query: SelectQueryBuilder<T>,
  q: string | undefined,
  ...columns: string[]
): void {
  if (q === undefined) return;
  const search = new NameSearch(q);
  const conditions = columns.map((column) => search.matches(lowerSql(column), ':q'));
  query.andWhere(`(${conditions.join(' OR ')})`, { q: search.value });
}
