import type { StreamableFile } from '@nestjs/common';
import { type ExportedRows, type ExportFormat, streamExport } from '../core/http/streamed-export.js';
import type { UsageSlotsService } from './usage-slots.interceptor.js';

const figures = ['views', 'issued_views', 'viewers', 'page_views', 'seconds', 'failures'];
const opening = ['opening_ms_p50', 'opening_ms_p95'];
const buckets = ['start', ...figures, ...opening];
const report = ['report_id', 'name', 'workspace_id', 'workspace_name'];

/** Of each file, by its name. */
const columns = {
  usage: buckets,
  'usage-days': [
    'day',
    'report_id',
    'report_name',
    'workspace_id',
    'workspace_name',
    'views',
    'issued_views',
    'page_views',
    'failures',
    'seconds',
    'viewers',
  ],
  'usage-group': ['start', 'views', 'viewers'],
  'usage-pages': ['page', 'name', 'views'],
  'usage-person': ['start', 'views', 'seconds'],
  'usage-report': buckets,
  'usage-reports': [
    ...report,
    ...figures,
    ...opening,
    'load_ms_p50',
    'load_ms_p95',
    'previous_views',
    'last_viewed_at',
  ],
  'usage-workspace': buckets,
  'usage-workspaces': ['workspace_id', 'name', 'views', 'previous_views', 'viewers', 'seconds'],
  'unused-reports': [...report, 'last_viewed_at', 'grants_path'],
};
type FileName = keyof typeof columns;

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
 * A file with one line for each row. The first page is read at once, each other one in a slot, which is not held while the client
 * reads the page.
 */
export async function usageExport<T extends object>(
  name: FileName,
  pages: AsyncGenerator<T[]>,
  slots: Pick<UsageSlotsService, 'run'> = unlimited,
): Promise<ExportedRows<T>> {
  const first = await pages.next();
  const rows = (async function* () {
    try {
      for (let page = first; page.done !== true; page = await slots.run(() => pages.next())) yield page.value;
    } finally {
      await pages.return(undefined);
    }
  })();
  return { name, pages: rows, columns: columns[name], cellsOf: (row) => flatten(row) };
}

export async function* singlePage<T>(rows: T[]): AsyncGenerator<T[]> {
  yield rows;
}

export async function* mapPages<T, U>(pages: AsyncGenerator<T[]>, map: (item: T) => U): AsyncGenerator<U[]> {
  for await (const items of pages) yield items.map(map);
}

/** The value, or its buckets as a file. */
export async function shown<T extends { buckets: object[] }>(
  name: FileName,
  value: T,
  format: ExportFormat | null,
): Promise<T | StreamableFile> {
  return format === null ? value : streamExport(await usageExport(name, singlePage(value.buckets)), format);
}
