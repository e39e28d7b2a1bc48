import type { ExportDto } from '../../src/reports/exports/dto/export.dto.js';
import { JobsService } from '../../src/platform/jobs/jobs.service.js';
import type { Report } from '../../src/reports/report.entity.js';
import { startEmbedding } from '../embedding/embedding.js';
import type { Client } from '../support/client.js';
import { operations, responseErrors } from '../support/openapi-operations.js';
import { isFull } from '../support/test-size.js';
import { until } from '../support/until.js';
import { callsTo } from '../support/syncing.js';
import type { Service } from '../support/service.js';

const hasEnded = ({ status }: Exported): boolean => !['queued', 'running'].includes(status);

export type Exported = ExportDto & { code?: string; detail?: string };

const download = operations.find(({ path }) => path === '/api/exports/{id}/file');

/** openapi.json declares each status and media type of a download, not only as `default`. */
function requireDeclared(status: number, contentType: string, text: string): void {
  if (download === undefined || !(status in download.responses))
    throw new Error(`openapi.json does not declare ${status} for a download`);
  const difference = responseErrors(download, { status, contentType, text });
  if (difference !== null) throw new Error(difference);
}

/** The first look at a job of Power BI follows its start at once. In full size it waits, as in production. */
function hurry({ app }: Service): void {
  const jobs = app.get(JobsService);
  const send = jobs.send.bind(jobs);
  const looked = new Set<string>();
  jobs.send = (tx, queue, data, seconds) => {
    const key = JSON.stringify(data);
    const isFirst = queue === 'report_export' && seconds === 1 && !looked.has(key);
    if (isFirst) looked.add(key);
    return send(tx, queue, data, isFirst ? 0 : seconds);
  };
}

/** A service with the demo content, and helpers for exports. The jobs of Power BI end at once. */
export async function startExporting(variables: Record<string, string> = {}) {
  const embedding = await startEmbedding(variables);
  const { service, settings, workspace } = embedding;
  await settings({ job_seconds: 0 });
  if (!isFull) hurry(service);
  const request = (caller: Client, { id }: Pick<Report, 'id'>, body: object = { format: 'PDF' }) =>
    caller.post<Exported>(`/api/reports/${id}/exports`, body);
  /** Waits until the export has a field with this value. */
  const reached = async (
    caller: Client,
    id: string,
    field: keyof Exported,
    value: unknown,
  ): Promise<Exported> => {
    let last: Exported | undefined;
    const look = async () => {
      last = (await caller.get<Exported>(`/api/exports/${id}`)).body;
      return last[field] === value || (field === 'status' && hasEnded(last));
    };
    await until(look).catch(() => undefined);
    if (last?.[field] !== value) throw new Error(`${field} is not ${String(value)}: ${JSON.stringify(last)}`);
    return last as Exported;
  };
  /** Waits until the export waits because of a problem. */
  const waiting = (caller: Client, id: string): Promise<Exported> =>
    until(async () => {
      const { body } = await caller.get<Exported>(`/api/exports/${id}`);
      return body.error === null ? undefined : body;
    });
  const file = async (caller: Client, path: string) => {
    const response = await fetch(new URL(path, service.url), {
      headers: caller.token === undefined ? {} : { authorization: `Bearer ${caller.token}` },
    });
    const { status, headers } = response;
    const text = await response.text();
    if (path.startsWith('/api/')) requireDeclared(status, headers.get('content-type') ?? '', text);
    return { status, headers, text };
  };
  return {
    ...embedding,
    request,
    reached,
    waiting,
    file,
    /** The text of the exported file. */
    exported: async (caller: Client, report: Pick<Report, 'id'>, body?: object): Promise<string> => {
      const { id } = (await request(caller, report, body)).body;
      await reached(caller, id, 'status', 'succeeded');
      return (await file(caller, `/api/exports/${id}/file`)).text;
    },
    asRole: async (name: string, role: 'viewer' | 'editor' | 'manager', given: object = {}) => {
      const user = await service.factory.user(given);
      await service.factory.grant(user, await workspace(name), role);
      return { user, client: await service.as(user) };
    },
    exportCalls: () => callsTo(service, /ExportTo$/),
  };
}

export type Exporting = Awaited<ReturnType<typeof startExporting>>;
