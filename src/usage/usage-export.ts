import type { StreamableFile } from '@nestjs/common';
import type { Page } from '../core/lists/pagination.js';
import { type ExportedRows, type ExportFormat, streamExport } from '../core/http/streamed-export.js';

type Cells = Record<string, unknown>;

/** Nested figures become columns such as `opening_ms_p95`; lists have no column. */
const flatten = (row: object, prefix = ''): Cells =>
  Object.fromEntries(
    Object.entries(row).flatMap(([name, value]: [string, unknown]) => {
      if (Array.isArray(value)) return [];
      if (value instanceof Date) return [[`${prefix}${name}`, value.toISOString()]];
      if (typeof value === 'object' && value !== null) return Object.entries(flatten(value, `${name}_`));
      return [[`${prefix}${name}`, value]];
    }),
  );

/** A file with one line for each row; all rows have the same fields. */
export async function usageExport<T extends object>(
  name: string,
  pages: AsyncGenerator<T[]>,
): Promise<ExportedRows<T>> {
  let first = await pages.next();
  while (first.done !== true && first.value.length === 0) first = await pages.next();
  const rows = (async function* () {
    if (first.done !== true) yield first.value;
    yield* pages;
  })();
  const [example] = first.done === true ? [] : first.value;
  return { name, pages: rows, columns: Object.keys(flatten(example ?? {})), cellsOf: (row) => flatten(row) };
}

export async function* singlePage<T>(rows: T[]): AsyncGenerator<T[]> {
  yield rows;
}

/** All pages of a list from its beginning. */
export async function* everyPage<T>(read: (cursor?: string) => Promise<Page<T>>): AsyncGenerator<T[]> {
  for (let cursor: string | undefined; ;) {
    const { items, next } = await read(cursor);
    yield items;
    if (next === undefined) return;
    cursor = next;
  }
}

export async function* mapPages<T, U>(pages: AsyncGenerator<T[]>, map: (item: T) => U): AsyncGenerator<U[]> {
  for await (const items of pages) yield items.map(map);
}

/** The value, or its buckets as a file. */
export async function shown<T extends { buckets: object[] }>(
  name: string,
  value: T,
  format: ExportFormat | null,
): Promise<T | StreamableFile> {
  return format === null ? value : streamExport(await usageExport(name, singlePage(value.buckets)), format);
}
