import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { ObjectLiteral, SelectQueryBuilder } from 'typeorm';
import { type Select, sql } from './select.js';
import type { Cursors, Reader } from './cursors.js';
import type { ListQuery } from './list-query.dto.js';

export interface Page<T> {
  items: T[];
  /** Cursor of the page after this one; absent on the last. */
  next?: string;
}

/** One column that a list may be sorted by: its SQL, and how to read it off a row to start the next page there. */
export interface SortKey<T> {
  sql: string;
  of(row: T): string;
}

/** What a client may name in `sort`; a leading `-` turns the order round. */
export type SortKeys<T> = Record<string, SortKey<T>>;

export const sortNames = (keys: SortKeys<never>): string[] =>
  Object.keys(keys).flatMap((key) => [key, `-${key}`]);

interface KeysetQuery<T> extends ListQuery {
  reader: Reader;
  sort: string;
  keys: SortKeys<T>;
  /** Everything else that decides what is on the list. */
  filters?: Record<string, unknown>;
}

/** Wildcards of LIKE that a person typed mean themselves. */
export const likePattern = (q: string): string => `%${q.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;

/** The pattern `:q` in any case, by Unicode's rules whatever the locale of the database: as `name_key` is made. */
export const matchesQ = (column: string): string =>
  `lower(${column} COLLATE "und-x-icu") LIKE lower(:q COLLATE "und-x-icu")`;

/** How to find names, for a table that has indexes on three and on two letters at a time. */
export interface NameHints {
  /** Rare letters of what is looked for: the index of threes finds the names with all of them. */
  rare: readonly string[];
  /** All of what is looked for: one or two rare letters, of which the index of pairs finds the names. */
  pair?: string;
  /** So many names have it that going through them in order finds a page at once. */
  isCommon: boolean;
}

/**
 * Only rows with this in their name. PostgreSQL goes through the names in order (the empty string keeps it from an index
 * that would give it all of them), or through those with the rare letters.
 */
export function matchName<T extends ObjectLiteral>(
  select: Select<T>,
  q: string,
  { rare, pair, isCommon }: NameHints = { rare: [], isCommon: false },
): Select<T> {
  for (const letters of rare) select.and`name_key LIKE ${likePattern(letters)}`;
  const name = sql(isCommon ? 'name_key' : "name_key || ''");
  if (pair === undefined) select.idsFirst();
  else select.allFirst().and`name_pairs(name_key) LIKE ${`% ${pair}%`}`;
  return select.plannedEachTime()
    .and`${name} LIKE (lower(${likePattern(q)} COLLATE "und-x-icu") COLLATE "default")`;
}

interface Keyset<T> {
  key: SortKey<T>;
  descending: boolean;
  /** Sort key and id of the row that the page comes after. */
  after?: string[];
  /** Of one row more than the page has, to know whether there is another page. */
  page: (rows: readonly T[]) => Page<T>;
}

function keysetOf<T extends { id: string }>(
  table: string,
  { reader, limit, cursor, sort, keys, q, filters }: KeysetQuery<T>,
  cursors: Cursors,
): Keyset<T> {
  const key = keys[sort.replace(/^-/, '')] as SortKey<T>;
  const list = JSON.stringify([table, sort, q ?? '', filters ?? {}]);
  return {
    key,
    descending: sort.startsWith('-'),
    ...(cursor !== undefined && { after: cursors.decode(reader, list, cursor) }),
    page: (rows) => {
      const items = rows.slice(0, limit);
      const last = items.at(-1);
      if (rows.length <= limit || last === undefined) return { items };
      return { items, next: cursors.encode(reader, list, [key.of(last), last.id]) };
    },
  };
}

/**
 * Runs a list query from where the cursor says, ordered by the sort key and then by id. Rows that come or go between two
 * pages shift nothing.
 */
export async function fetchPage<T extends ObjectLiteral & { id: string }>(
  builder: SelectQueryBuilder<T>,
  query: KeysetQuery<T>,
  cursors: Cursors,
): Promise<Page<T>> {
  const { key, descending, after, page } = keysetOf(builder.alias, query, cursors);
  const id = `${builder.alias}.id`;
  if (after !== undefined) {
    const [value, lastId] = after;
    builder.andWhere(`(${key.sql}, ${id}) ${descending ? '<' : '>'} (:value, :lastId)`, { value, lastId });
  }
  const direction = descending ? 'DESC' : 'ASC';
  const rows = await builder
    .orderBy(key.sql, direction)
    .addOrderBy(id, direction)
    .limit(query.limit + 1)
    .getMany();
  return page(rows);
}

/** The same of a list that is asked for all day. */
export async function readPage<T extends ObjectLiteral & { id: string }>(
  select: Select<T>,
  query: KeysetQuery<T>,
  cursors: Cursors,
): Promise<Page<T>> {
  const { key, descending, after, page } = keysetOf(select.table, query, cursors);
  const by = sql(key.sql);
  if (after !== undefined) {
    const [value, lastId] = after;
    select.and`(${by}, id) ${sql(descending ? '<' : '>')} (${value}, ${lastId})`;
  }
  return page(await select.rows({ by, descending, limit: query.limit + 1 }));
}

/** Writes the `Link` header of a page (RFC 8288) and hands its items on. */
export class PageLinks {
  constructor(
    private readonly request: Request,
    private readonly response: Response,
  ) {}

  of<T>({ items, next }: Page<T>): T[] {
    if (next !== undefined) {
      const query = new URLSearchParams(this.request.query as Record<string, string>);
      query.set('cursor', next);
      this.response.setHeader('Link', `<${this.request.path}?${query.toString()}>; rel="next"`);
    }
    return items;
  }
}

export const Links = createParamDecorator((_: unknown, context: ExecutionContext): PageLinks => {
  const http = context.switchToHttp();
  return new PageLinks(http.getRequest<Request>(), http.getResponse<Response>());
});
