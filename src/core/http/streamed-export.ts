import { Readable } from 'node:stream';
import { createParamDecorator, type ExecutionContext, StreamableFile } from '@nestjs/common';
import { stringify } from 'csv-stringify/sync';
import type { Request } from 'express';
import { acceptedType } from './accepted-type.js';
import { requestContext } from './request-context.js';

export const exportTypes = { ndjson: 'application/x-ndjson', csv: 'text/csv; charset=utf-8' } as const;
export type ExportFormat = keyof typeof exportTypes;

/** The rows of a file, and how CSV shows them. NDJSON contains the rows as they are. */
export interface ExportedRows<T> {
  /** File name without extension. */
  name: string;
  pages: AsyncGenerator<T[]>;
  columns: readonly string[];
  cellsOf: (row: T) => Record<string, unknown>;
}

/** Columns in this order, each with the function that reads its cell. */
export function columnsOf<T>(
  cells: Readonly<Record<string, (row: T) => unknown>>,
): Pick<ExportedRows<T>, 'columns' | 'cellsOf'> {
  const entries = Object.entries(cells);
  const cellsOf = (row: T) => Object.fromEntries(entries.map(([name, cell]) => [name, cell(row)]));
  return { columns: Object.keys(cells), cellsOf };
}

/**
 * Text whose first visible character begins a formula (ASCII or full width): spreadsheets would execute it, some after removing
 * what is invisible. A cell marks it as text.
 */
const isFormula = /^[\s\p{Z}\p{C}\p{M}\p{Default_Ignorable_Code_Point}]*[=+\-@\uff1d\uff0b\uff0d\uff20\t\r]/u;

type Format = <T>(rows: readonly T[], file: ExportedRows<T>, isFirst: boolean) => string;

const formats: Record<ExportFormat, Format> = {
  ndjson: (rows) => rows.map((row) => `${JSON.stringify(row)}\n`).join(''),
  csv: (rows, { columns, cellsOf }, isFirst) =>
    stringify(rows.map(cellsOf), {
      header: isFirst,
      columns: [...columns],
      cast: { string: (text) => (isFormula.test(text) ? `'${text}` : text) },
      record_delimiter: 'windows',
    }),
};

/** The lines of a file, one string for each page. */
async function* write<T>(file: ExportedRows<T>, format: Format): AsyncGenerator<string> {
  let isFirst = true;
  for await (const rows of file.pages) {
    yield format(rows, file, isFirst);
    isFirst = false;
  }
  if (isFirst) yield format([], file, true);
}

/** Continues after the first result. Unlike a generator that has not started, it closes `rest` in any case. */
const continued = <T>(first: IteratorResult<T>, rest: AsyncGenerator<T>): AsyncIterable<T> => {
  let pending: IteratorResult<T> | undefined = first;
  const next = (): Promise<IteratorResult<T>> => {
    const result = pending;
    pending = undefined;
    return result === undefined ? rest.next() : Promise.resolve(result);
  };
  return { [Symbol.asyncIterator]: () => ({ next, return: () => rest.return(undefined) }) };
};

/**
 * Checks the caller again before each chunk but the first, for which the request was checked: a large file takes minutes, and
 * a user who is disabled meanwhile must not receive the rest.
 */
async function* whileAllowed(
  chunks: AsyncGenerator<string>,
  recheck: (() => Promise<void>) | undefined,
): AsyncGenerator<string> {
  let isFirst = true;
  for await (const chunk of chunks) {
    if (!isFirst) await recheck?.();
    isFirst = false;
    yield chunk;
  }
}

/**
 * Streams chunks of text as a file. Waits for the first chunk, so that a failure there still returns its own status code. The
 * generator is closed at the end, when the client disconnects, and when the caller may no longer read it: the response is then
 * broken off.
 */
export async function streamFile(
  chunks: AsyncGenerator<string>,
  type: string,
  fileName: string,
): Promise<StreamableFile> {
  const checked = whileAllowed(chunks, requestContext()?.recheckCaller);
  const first = await checked.next();
  // One chunk is read ahead; the default would be 16.
  const body = Readable.from(continued(first, checked), { highWaterMark: 1 });
  const file = new StreamableFile(body, { type, disposition: `attachment; filename="${fileName}"` });
  // A broken connection shows the client that the file is truncated; a regular end of the response would not.
  return file.setErrorHandler((_error, response) => response.destroy?.());
}

export const streamExport = <T>(exported: ExportedRows<T>, format: ExportFormat): Promise<StreamableFile> =>
  streamFile(write(exported, formats[format]), exportTypes[format], `${exported.name}.${format}`);

/**
 * The export format that the client prefers by its `Accept` header; null for JSON. Throws NotAcceptable for a header that
 * allows none of them.
 */
export const RequestedExport = createParamDecorator(
  (_: unknown, context: ExecutionContext): ExportFormat | null => {
    const request = context.switchToHttp().getRequest<Request>();
    const wanted = acceptedType(request, ['application/json', exportTypes.ndjson, 'text/csv']);
    if (wanted === 'text/csv') return 'csv';
    return wanted === exportTypes.ndjson ? 'ndjson' : null;
  },
);
