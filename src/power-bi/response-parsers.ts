import { Problem } from '../core/problems/problem.js';
import type { EmbedHosts } from './embed-hosts.js';
import { isId } from './ids.js';
import type {
  CapacityState,
  PbiDataset,
  PbiEmbedToken,
  PbiRefresh,
  PbiReport,
  PbiWorkspace,
  PbiWorkspaceContent,
} from './power-bi.types.js';
import { descriptionOf, MAX_ID, nameOf } from './upstream-text.js';

/** The response does not match the API definition. */
export class MalformedResponse extends Error {
  detailOf(upstream: string): string {
    return `${upstream} sent a malformed response: ${this.message}.`;
  }
}

type Fields = Record<string, unknown>;

/** Lower-cases the keys: the API definition and actual responses differ in the case of many of them. */
export function fields(value: unknown): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new MalformedResponse('an object was expected');
  }
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key.toLowerCase(), item]));
}

const flag = (value: unknown): boolean | null => (typeof value === 'boolean' ? value : null);

function optionalId(value: unknown): string | null {
  if (typeof value === 'string' && value.length > MAX_ID) throw new MalformedResponse('an id is too long');
  return isId(value) ? value.toLowerCase() : null;
}

function id(value: unknown): string {
  const found = optionalId(value);
  if (found === null) throw new MalformedResponse('an id was expected');
  return found;
}

export function parseJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch (error) {
    throw new MalformedResponse('JSON was expected', { cause: error });
  }
}

/** The items of a collection, `{"value": [...]}`. Throws MalformedResponse. */
export function parseList<T>(body: unknown, parse: (item: unknown) => T): T[] {
  const { value } = fields(body);
  if (!Array.isArray(value)) throw new MalformedResponse('a list was expected');
  return value.map(parse);
}

/** Like `parseList`, without duplicate ids. */
const parseUnique = <T>(body: unknown, parse: (item: unknown) => T, idOf: (item: T) => string): T[] => [
  ...new Map(parseList(body, parse).map((item) => [idOf(item), item])).values(),
];

export function parseWorkspace(item: unknown): PbiWorkspace {
  const group = fields(item);
  const pbiWorkspaceId = id(group.id);
  return {
    pbiWorkspaceId,
    name: nameOf(group.name) ?? pbiWorkspaceId,
    onCapacity: group.isondedicatedcapacity === true,
  };
}

export const parseProfile = (item: unknown): string => id(fields(item).id);

export const parseGroupCapacity = (item: unknown): string | null => optionalId(fields(item).capacityid);

export function parseCapacity(item: unknown): { id: string; state: CapacityState } {
  const capacity = fields(item);
  const state = nameOf(capacity.state)?.toLowerCase();
  return {
    id: id(capacity.id),
    state: state === 'active' ? 'active' : state === undefined ? 'unknown' : 'paused',
  };
}

export const parseReport =
  (hosts: EmbedHosts) =>
  (item: unknown): PbiReport => {
    const report = fields(item);
    const pbiReportId = id(report.id);
    return {
      pbiReportId,
      name: nameOf(report.name) ?? pbiReportId,
      description: descriptionOf(report.description),
      reportType: report.reporttype === 'PaginatedReport' ? 'PaginatedReport' : 'PowerBIReport',
      webUrl: hosts.find(report.weburl) ?? null,
      embedUrl: hosts.find(report.embedurl) ?? '',
      pbiDatasetId: optionalId(report.datasetid),
    };
  };

export const parseReports = (body: unknown, hosts: EmbedHosts): PbiReport[] =>
  parseUnique(body, parseReport(hosts), ({ pbiReportId }) => pbiReportId);

export const parseDatasets = (body: unknown): PbiDataset[] =>
  parseUnique(body, parseDataset, ({ pbiDatasetId }) => pbiDatasetId);

function parseDataset(item: unknown): PbiDataset {
  const dataset = fields(item);
  const pbiDatasetId = id(dataset.id);
  return {
    pbiDatasetId,
    name: nameOf(dataset.name) ?? pbiDatasetId,
    identityRequired: flag(dataset.iseffectiveidentityrequired),
    identityRolesRequired: flag(dataset.iseffectiveidentityrolesrequired),
  };
}

/** Power BI reports a running refresh as `Unknown`, and disables the schedule of a dataset after repeated failures. */
const refreshStatuses: Record<string, PbiRefresh['status']> = {
  completed: 'succeeded',
  failed: 'failed',
  disabled: 'failed',
  cancelled: 'cancelled',
};

export function parseRefresh(item: unknown): PbiRefresh {
  const { status, starttime, endtime } = fields(item);
  const time = endtime ?? starttime;
  const at = new Date(typeof time === 'string' ? time : Number.NaN);
  if (Number.isNaN(at.getTime())) throw new MalformedResponse('the time of a refresh was expected');
  const known = typeof status === 'string' ? refreshStatuses[status.toLowerCase()] : undefined;
  return { status: known ?? 'running', at };
}

/** `last` is null without a last refresh. */
export function parseRefreshable(item: unknown): { pbiDatasetId: string; last: PbiRefresh | null } {
  const { id: dataset, lastrefresh: last } = fields(item);
  return { pbiDatasetId: id(dataset), last: last == null ? null : parseRefresh(last) };
}

/**
 * A workspace and its content; an absent list counts as empty. Malformed content sets `problem` on that workspace only.
 */
export const parseWorkspaceContent =
  (hosts: EmbedHosts) =>
  (item: unknown): PbiWorkspaceContent => {
    const workspace = parseWorkspace(item);
    const { reports, datasets } = fields(item);
    try {
      return {
        ...workspace,
        reports: parseReports({ value: reports ?? [] }, hosts),
        datasets: parseDatasets({ value: datasets ?? [] }),
      };
    } catch (error) {
      if (!(error instanceof MalformedResponse)) throw error;
      const problem = new Problem('power_bi_unavailable', error.detailOf('Power BI'), { cause: error });
      return { ...workspace, reports: [], datasets: [], problem };
    }
  };

/** `now` is the time by the issuer's clock. The lifetime is capped at `maxSeconds`, whatever the response claims. */
export function parseEmbedToken(body: unknown, now: Date, maxSeconds: number): PbiEmbedToken {
  const { token, tokenid, expiration } = fields(body);
  const expires = new Date(typeof expiration === 'string' ? expiration : Number.NaN).getTime();
  if (typeof token !== 'string' || token === '' || Number.isNaN(expires)) {
    throw new MalformedResponse('an embed token was expected');
  }
  const upstreamSeconds = Math.floor((expires - now.getTime()) / 1000);
  if (upstreamSeconds <= 0) throw new MalformedResponse('an unexpired token was expected');
  const isBounded = upstreamSeconds > maxSeconds;
  const expiresIn = isBounded ? maxSeconds : upstreamSeconds;
  const expiresAt = new Date(isBounded ? now.getTime() + maxSeconds * 1000 : expires);
  return { token, tokenId: id(tokenid), expiresAt, expiresIn };
}
