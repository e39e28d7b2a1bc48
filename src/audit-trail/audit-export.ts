import { Readable } from 'node:stream';
import { StreamableFile } from '@nestjs/common';
import { stringify } from 'csv-stringify';
import type { AuditEventDto } from './dto/audit-event.dto.js';

export const exportTypes = { ndjson: 'application/x-ndjson', csv: 'text/csv; charset=utf-8' } as const;
export type ExportFormat = keyof typeof exportTypes;

const columns = [
  'id',
  'at',
  'action',
  'outcome',
  'actor_type',
  'actor_id',
  'actor_name',
  'actor_email',
  'target_type',
  'target_id',
  'target_name',
  'ip',
  'user_agent',
  'request_id',
  'details',
];

const cellsOf = ({ actor, target, details, ...event }: AuditEventDto): Record<string, unknown> => ({
  ...event,
  at: event.at.toISOString(),
  actor_type: actor?.type,
  actor_id: actor?.id,
  actor_name: actor?.name,
  actor_email: actor?.email,
  target_type: target?.type,
  target_id: target?.id,
  target_name: target?.name,
  details: JSON.stringify(details),
});

async function* flatten<T>(pages: AsyncIterable<T[]>, write: (event: T) => unknown): AsyncGenerator {
  for await (const page of pages) for (const event of page) yield write(event);
}

/** Marks cells that begin like a formula (ASCII or full width) as text, because spreadsheets would execute them. */
const csv = () => stringify({ header: true, columns, escape_formulas: true, record_delimiter: 'windows' });

const bodyOf = (pages: AsyncIterable<AuditEventDto[]>, format: ExportFormat): Readable =>
  format === 'csv'
    ? Readable.from(flatten(pages, cellsOf)).compose<Readable>(csv())
    : Readable.from(flatten(pages, (event) => `${JSON.stringify(event)}\n`));

/** Streams the events as a file. Waits for the first page, so that a failure there still returns its own status code. */
export async function createExport(
  pages: AsyncGenerator<AuditEventDto[]>,
  format: ExportFormat,
): Promise<StreamableFile> {
  const first = await pages.next();
  const all = (async function* () {
    if (!first.done) yield first.value;
    yield* pages;
  })();
  const file = new StreamableFile(bodyOf(all, format), {
    type: exportTypes[format],
    disposition: `attachment; filename="audit-events.${format}"`,
  });
  // A broken connection shows the client that the file is truncated; a regular end of the response would not.
  return file.setErrorHandler((_error, response) => response.destroy?.());
}
