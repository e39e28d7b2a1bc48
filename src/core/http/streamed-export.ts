import { Readable } from 'node:stream';
import { createParamDecorator, type ExecutionContext, StreamableFile } from '@nestjs/common';
import { stringify } from 'csv-stringify';
import type { Request } from 'express';

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

async function* flatten<T>(pages: AsyncIterable<T[]>, write: (row: T) => unknown): AsyncGenerator {
  for await (const page of pages) for (const row of page) yield write(row);
}

/** Marks cells that begin like a formula (ASCII or full width) as text, because spreadsheets would execute them. */
const csv = (columns: readonly string[]) =>
  stringify({ header: true, columns: [...columns], escape_formulas: true, record_delimiter: 'windows' });

/** Streams the rows as a file. Waits for the first page, so that a failure there still returns its own status code. */
export async function streamExport<T>(
  { name, pages, columns, cellsOf }: ExportedRows<T>,
  format: ExportFormat,
): Promise<StreamableFile> {
  const first = await pages.next();
  const all = (async function* () {
    if (!first.done) yield first.value;
    yield* pages;
  })();
  const body =
    format === 'csv'
      ? Readable.from(flatten(all, cellsOf)).compose<Readable>(csv(columns))
      : Readable.from(flatten(all, (row) => `${JSON.stringify(row)}\n`));
  const file = new StreamableFile(body, {
    type: exportTypes[format],
    disposition: `attachment; filename="${name}.${format}"`,
  });
  // A broken connection shows the client that the file is truncated; a regular end of the response would not.
  return file.setErrorHandler((_error, response) => response.destroy?.());
}

/** The export format that the client prefers by its `Accept` header; null for JSON. */
export const RequestedExport = createParamDecorator(
  (_: unknown, context: ExecutionContext): ExportFormat | null => {
    const request = context.switchToHttp().getRequest<Request>();
    const wanted = request.accepts(['application/json', exportTypes.ndjson, 'text/csv']);
    if (wanted === 'text/csv') return 'csv';
    return wanted === exportTypes.ndjson ? 'ndjson' : null;
  },
);
