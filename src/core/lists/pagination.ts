import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { ObjectLiteral, SelectQueryBuilder } from 'typeorm';
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

interface PageQuery<T> extends ListQuery {
  reader: Reader;
  sort: string;
  keys: SortKeys<T>;
  /** Everything else that decides what is on the list. */
  filters?: Record<string, unknown>;
}

/** The rows of one page, for the statement that reads them. */
export interface Keyset {
  /** SQL of the sort key; rows with the same value are ordered by id. */
  key: string;
  direction: 'ASC' | 'DESC';
  /** Sort key and id of the last row before the page, and how the rows of the page compare with them. */
  after?: { operator: '<' | '>'; value: string; id: string };
  /** One row more than the page has, which tells whether another page follows. */
  limit: number;
}

/** Where the rows of a list come from. */
export interface ListSource<T> {
  /** Names the list in its cursors. */
  name: string;
  read(keyset: Keyset): Promise<T[]>;
}

/** The rows that a query builder selects. */
export const selectedBy = <T extends ObjectLiteral>(query: SelectQueryBuilder<T>): ListSource<T> => ({
  name: query.alias,
  read: ({ key, direction, after, limit }) => {
    const id = `${query.alias}.id`;
    if (after !== undefined) {
      query.andWhere(`(${key}, ${id}) ${after.operator} (:afterValue, :afterId)`, {
        afterValue: after.value,
        afterId: after.id,
      });
    }
    return query.orderBy(key, direction).addOrderBy(id, direction).limit(limit).getMany();
  },
});

/**
 * One page of a list, ordered by the sort key and then by id, from where the cursor points. Rows that are added or removed
 * between two pages shift nothing.
 */
export async function listPage<T extends { id: string }>(
  source: ListSource<T>,
  { reader, limit, cursor, sort, keys, q, filters }: PageQuery<T>,
  cursors: Cursors,
): Promise<Page<T>> {
  const key = keys[sort.replace(/^-/, '')] as SortKey<T>;
  const isDescending = sort.startsWith('-');
  const list = JSON.stringify([source.name, sort, q ?? '', filters ?? {}]);
  const [value = '', id = ''] = cursor === undefined ? [] : cursors.decode(reader, list, cursor);
  const rows = await source.read({
    key: key.sql,
    direction: isDescending ? 'DESC' : 'ASC',
    ...(cursor !== undefined && { after: { operator: isDescending ? '<' : '>', value, id } }),
    limit: limit + 1,
  });
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  if (rows.length <= limit || last === undefined) return { items };
  return { items, next: cursors.encode(reader, list, [key.of(last), last.id]) };
}

/** Writes the `Link` header of a page (RFC 8288) and hands its items on. */
export class PageLinks {
  constructor(
    private readonly request: Request,
    private readonly response: Response,
  ) {}

  from<T>({ items, next }: Page<T>): T[] {
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
