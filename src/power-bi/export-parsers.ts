import type { ExportProgress } from './power-bi.types.js';
import { fields, MalformedResponse, parseGroupCapacity, parseWorkspace } from './response-parsers.js';
import { storable } from './upstream-text.js';

const MAX_EXPORT_ID = 1000;
const MAX_REASON = 500;

/** The capacity, or the workspace itself where Power BI does not name its capacity; null without one. */
export function parseExportCapacity(item: unknown, pbiWorkspaceId: string): string | null {
  const { onCapacity } = parseWorkspace(item);
  return parseGroupCapacity(item) ?? (onCapacity ? pbiWorkspaceId : null);
}

export function parsePageName(item: unknown): string {
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

export function parseExport(item: unknown): Omit<ExportProgress, 'retryAfter'> {
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
