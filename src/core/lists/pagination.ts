import { applyDecorators, createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { ApiPropertyOptional } from '#openapi';
import { IsIn } from 'class-validator';
import type { Request, Response } from 'express';
import type { ObjectLiteral, SelectQueryBuilder } from 'typeorm';
import type { Parameters } from '../database/execute.js';
import { requestContext } from '../http/request-context.js';
import { OptionalField } from '../validation/validators.js';
import type { Cursors, Reader } from './cursors.js';
import type { CountedListQuery } from './list-query.dto.js';

/** Totals above it are not counted. */
const MAX_TOTAL = 1000;

export interface Page<T> {
  items: T[];
  /** Cursor of the next page; absent on the last page. */
  next?: string;
  /** Of all pages, at most MAX_TOTAL + 1; on the first page, if it was requested. */
  total?: number;
}

/** A sortable column: its SQL expression, and its value in a row, from which the next page starts. */
export interface SortKey<T> {
  sql: string;
  of(row: T): string;
}

/** Sort keys by their name in `sort`; a leading `-` reverses the order. */
export type SortKeys<T> = Record<string, SortKey<T>>;

/** The parameter `sort` of a list. */
export function SortedBy(keys: SortKeys<never>): PropertyDecorator {
  const names = Object.keys(keys).flatMap((key) => [key, `-${key}`]);
  const description = 'Sort order. Prefix the field with `-` for descending order.';
  return applyDecorators(OptionalField(), ApiPropertyOptional({ description, enum: names }), IsIn(names));
}

interface PageQuery<T> extends CountedListQuery {
  reader: Reader;
  sort: string;
  keys: SortKeys<T>;
  /** All other parameters that select the items; a cursor is valid only for the same ones. */
  filters?: Record<string, unknown>;
}

/** Position, order and size of one page, for the statement that reads it. */
export interface Keyset {
  /** SQL of the sort key; rows with equal values are ordered by id. */
  key: string;
  direction: 'ASC' | 'DESC';
  /** Sort key and id of the last row of the previous page, and the operator that compares rows with them. */
  after?: { operator: '<' | '>'; value: string; id: string };
  /** One row more than the page size, to detect whether another page follows; more rows to count them. */
  limit: number;
}

/** Reads the rows of a list. */
interface ListSource<T> {
  /** Identifies the list in its cursors. */
  name: string;
  read(keyset: Keyset): Promise<T[]>;
}

/** List source that reads the rows of a query builder. */
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
 * Returns one page of a list, ordered by sort key and id, starting at the cursor. Rows that are added or removed
 * between two pages shift no other rows. Throws InvalidRequest for an invalid cursor.
 */
export async function listPage<T extends { id: string }>(
  source: ListSource<T>,
  { reader, limit, cursor, sort, keys, q, filters, count = false }: PageQuery<T>,
  cursors: Cursors,
): Promise<Page<T>> {
  const key = keys[sort.replace(/^-/, '')] as SortKey<T>;
  const isDescending = sort.startsWith('-');
  const list = JSON.stringify([source.name, sort, q ?? '', filters ?? {}]);
  const [value = '', id = ''] = cursor === undefined ? [] : cursors.decode(reader, list, cursor);
  const isCounted = count && cursor === undefined;
  const rows = await source.read({
    key: key.sql,
    direction: isDescending ? 'DESC' : 'ASC',
    ...(cursor !== undefined && { after: { operator: isDescending ? '<' : '>', value, id } }),
    limit: (isCounted ? Math.max(limit, MAX_TOTAL) : limit) + 1,
  });
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  const page = { items, ...(isCounted && { total: rows.length }) };
  if (rows.length <= limit || last === undefined) return page;
  return { ...page, next: cursors.encode(reader, list, [key.of(last), last.id]) };
}

/** Writes the headers of a page, `Link` (RFC 8288) and `Total-Count`, and returns its items. */
export class PageLinks {
  constructor(
    private readonly request: Request,
    private readonly response: Response,
  ) {}

  /** `parameter` contains the position of the next page. `path` is the list, where the page is part of another response. */
  from<T>({ items, next, total }: Page<T>, parameter = 'cursor', path = this.request.path): T[] {
    if (total !== undefined)
      this.response.setHeader('Total-Count', total > MAX_TOTAL ? `${MAX_TOTAL}+` : total);
    if (next !== undefined) {
      const query = new URLSearchParams(this.request.query as Record<string, string>);
      query.set(parameter, next);
      query.delete('count');
      this.response.setHeader('Link', `<${path}?${query.toString()}>; rel="next"`);
    }
    const context = requestContext();
    if (context) context.page = `${next === undefined ? '' : 'next'}${total ?? ''}`;
    return items;
  }
}

/** The ETag of a response: that of its body, and for a page also what only its headers say. */
export function pageEtag(bodyEtag: string): string {
  const page = requestContext()?.page;
  return page ? bodyEtag.replace(/"$/, `-${page}"`) : bodyEtag;
}

export const Links = createParamDecorator((_: unknown, context: ExecutionContext): PageLinks => {
  const http = context.switchToHttp();
  return new PageLinks(http.getRequest<Request>(), http.getResponse<Response>());
});

interface KeysetSql {
  /** The condition for the rows after the cursor. */
  follows: string;
  /** The same for a table with another column for the id. */
  followsBy: (id: string) => string;
  order: string;
  limit: string;
}

/** Returns the SQL fragments that select one page of a list. */
export function keysetSql({ key, direction, after, limit }: Keyset, parameters: Parameters): KeysetSql {
  const position = after && `${after.operator} (${parameters.add(after.value)}, ${parameters.add(after.id)})`;
  const followsBy = (id: string): string => (position === undefined ? 'TRUE' : `(${key}, ${id}) ${position}`);
  return {
    follows: followsBy('id'),
    followsBy,
    order: `${key} ${direction}, id ${direction}`,
    limit: parameters.add(limit),
  };
}
