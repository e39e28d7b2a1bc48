import type { StreamableFile } from '@nestjs/common';
import { type ExportedRows, type ExportFormat, streamExport } from '../core/http/streamed-export.js';
import type { UsageSlotsService } from './usage-slots.interceptor.js';

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

const unlimited = { run: <T>(read: () => Promise<T>): Promise<T> => read() };

/**
 * A file with one line for each row; all rows have the same fields. The first page is read at once, each other one in a slot, which is
 * not held while the client reads the page.
 */
export async function usageExport<T extends object>(
  name: string,
  pages: AsyncGenerator<T[]>,
  slots: Pick<UsageSlotsService, 'run'> = unlimited,
): Promise<ExportedRows<T>> {
  let first = await pages.next();
  while (first.done !== true && first.value.length === 0) first = await pages.next();
  const rows = (async function* () {
    try {
      for (let page = first; page.done !== true; page = await slots.run(() => pages.next())) yield page.value;
    } finally {
      await pages.return(undefined);
    }
  })();
  const [example] = first.done === true ? [] : first.value;
  return { name, pages: rows, columns: Object.keys(flatten(example ?? {})), cellsOf: (row) => flatten(row) };
}

export async function* singlePage<T>(rows: T[]): AsyncGenerator<T[]> {
  yield rows;
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
