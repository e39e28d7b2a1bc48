import { Problem } from '../core/problems/problem.js';
import { retryAfterSeconds } from './error-body.js';
import { checkedId } from './ids.js';
import { API_SCOPE, type PowerBiApi } from './power-bi-api.js';
import type { CallOptions, ExportOrder, ExportProgress, PbiExportRef } from './power-bi.types.js';
import {
  fields,
  MalformedResponse,
  parseGroupCapacity,
  parseJson,
  parseList,
  parseWorkspace,
} from './response-parsers.js';
import { exportRefusal } from './translate.js';
import type { UpstreamResponse } from './upstream-http.js';
import { storable } from './upstream-text.js';

const MAX_EXPORT_ID = 1000;
const MAX_REASON = 500;

/** The capacity, or the workspace itself where Power BI does not name its capacity; null without one. */
function parseExportCapacity(item: unknown, pbiWorkspaceId: string): string | null {
  const { onCapacity } = parseWorkspace(item);
  return parseGroupCapacity(item) ?? (onCapacity ? pbiWorkspaceId : null);
}

function parsePageName(item: unknown): string {
  const { name } = fields(item);
  if (typeof name !== 'string') throw new MalformedResponse('the name of a page was expected');
  return name;
}

const exportStates: Record<string, ExportProgress['state']> = {
  notstarted: 'waiting',
  undefined: 'waiting',
  running: 'running',
  succeeded: 'succeeded',
  failed: 'failed',
};

function parseExport(item: unknown): Omit<ExportProgress, 'retryAfter'> {
  const { id, status, percentcomplete: percent, resourcefileextension: extension, error } = fields(item);
  const state = exportStates[String(status).toLowerCase()];
  if (typeof id !== 'string' || id === '' || id.length > MAX_EXPORT_ID || state === undefined) {
    throw new MalformedResponse('an export was expected');
  }
  const reason = typeof error === 'object' && error !== null ? fields(error) : {};
  return {
    id,
    state,
    percent: typeof percent === 'number' ? Math.min(100, Math.max(0, Math.floor(percent))) : 0,
    extension: typeof extension === 'string' && /^\.[a-z0-9]{1,8}$/i.test(extension) ? extension : null,
    error: { code: storable(reason.code, MAX_REASON), message: storable(reason.message, MAX_REASON) },
  };
}

/** Starting an export is slower than other calls; a file of 250 MB takes minutes. */
const START = { tryMs: 20_000, totalMs: 45_000 };
const DOWNLOAD = { tryMs: 900_000, totalMs: 1_200_000 };

/** Exports reports to files. Throws as `PowerBiService` does. */
export class ExportClient {
  constructor(private readonly api: PowerBiApi) {}

  /** Identifies the capacity that exports of this workspace use. Throws Problem without one. */
  async capacityOf(pbiWorkspaceId: string, options: CallOptions): Promise<string> {
    const capacity = await this.api.get(
      `groups/${checkedId(pbiWorkspaceId)}`,
      (body) => parseExportCapacity(body, pbiWorkspaceId),
      options,
    );
    if (capacity !== null) return capacity;
    const [code, detail] = exportRefusal('capacity') as NonNullable<ReturnType<typeof exportRefusal>>;
    throw new Problem(code, detail);
  }

  /** The names of the report's pages. */
  pages(pbiWorkspaceId: string, pbiReportId: string, options: CallOptions): Promise<string[]> {
    const path = `${reportPath({ pbiWorkspaceId, pbiReportId })}/pages`;
    return this.api.get(path, (body) => parseList(body, parsePageName), options);
  }

  /**
   * Starts an export and returns its id. A throttled capacity does not delay calls for other capacities. See
   * `mayHaveStarted` for the errors.
   */
  start(order: ExportOrder, capacity: string, options: CallOptions): Promise<string> {
    const parse = ({ body }: UpstreamResponse): string => parseExport(parseJson(body)).id;
    return this.api.send(
      {
        operation: 'exporting',
        method: 'POST',
        path: `${reportPath(order)}/ExportTo`,
        scope: `export ${capacity}`,
        body: bodyOf(order),
        parse,
        isOnce: true,
        ...START,
      },
      options,
    );
  }

  progress(ref: PbiExportRef, options: CallOptions): Promise<ExportProgress> {
    const parse = ({ body, headers, date }: UpstreamResponse): ExportProgress => {
      const header = headers['retry-after'];
      const retryAfter = retryAfterSeconds(Array.isArray(header) ? header[0] : header, date);
      return { ...parseExport(parseJson(body)), retryAfter };
    };
    const call = { operation: 'exporting', method: 'GET', scope: API_SCOPE, parse } as const;
    return this.api.send({ ...call, path: exportPath(ref) }, options);
  }

  /** Passes the file to `sink`, once for each attempt. */
  download(
    ref: PbiExportRef,
    { sink, maxBytes }: { sink: (body: AsyncIterable<Buffer>) => Promise<void>; maxBytes: number },
    options: CallOptions,
  ): Promise<void> {
    const call = { operation: 'exporting', method: 'GET', scope: API_SCOPE, ...DOWNLOAD } as const;
    const path = `${exportPath(ref)}/file`;
    return this.api.send({ ...call, path, sink, maxBytes, parse: () => undefined }, options);
  }
}

const reportPath = (ref: Pick<PbiExportRef, 'pbiWorkspaceId' | 'pbiReportId'>): string =>
  `groups/${checkedId(ref.pbiWorkspaceId)}/reports/${checkedId(ref.pbiReportId)}`;

/** The id of an export is opaque, so it is encoded. */
const exportPath = (ref: PbiExportRef): string =>
  `${reportPath(ref)}/exports/${encodeURIComponent(ref.pbiExportId)}`;

function bodyOf({ format, reportType, identity, pages, viewState }: ExportOrder): string {
  const identities = identity === null ? undefined : [identity];
  if (reportType === 'PaginatedReport') {
    return JSON.stringify({ format, paginatedReportConfiguration: { identities } });
  }
  return JSON.stringify({
    format,
    powerBIReportConfiguration: {
      identities,
      defaultBookmark: viewState === null ? undefined : { state: viewState },
      pages: pages.length === 0 ? undefined : pages.map((pageName) => ({ pageName })),
    },
  });
}
