import { isId } from './ids.js';
import type {
  CapacityState,
  PbiDataset,
  PbiEmbedToken,
  PbiReport,
  PbiWorkspace,
  PbiWorkspaceContent,
} from './power-bi.types.js';

/** The answer is not what the definition of the API says. */
export class MalformedAnswer extends Error {}

type Fields = Record<string, unknown>;

/** Keys in lower case: the definition and the wire disagree about the case of many of them. */
function fields(value: unknown): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new MalformedAnswer('an object was expected');
  }
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key.toLowerCase(), item]));
}

/** Something that PostgreSQL can hold. */
const cleaned = (text: string): string => text.replaceAll('\0', '').toWellFormed();

const optionalText = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? cleaned(value) : undefined;

const flag = (value: unknown): boolean | null => (typeof value === 'boolean' ? value : null);

const optionalId = (value: unknown): string | null => (isId(value) ? value.toLowerCase() : null);

function id(value: unknown): string {
  const found = optionalId(value);
  if (found === null) throw new MalformedAnswer('an id was expected');
  return found;
}

export function parseJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch (error) {
    throw new MalformedAnswer('JSON was expected', { cause: error });
  }
}

/** The items of a collection, `{"value": [...]}`. */
export function parseList<T>(body: unknown, parse: (item: unknown) => T): T[] {
  const { value } = fields(body);
  if (!Array.isArray(value)) throw new MalformedAnswer('a list was expected');
  return value.map(parse);
}

export function parseWorkspace(item: unknown): PbiWorkspace {
  const group = fields(item);
  const pbiWorkspaceId = id(group.id);
  return {
    pbiWorkspaceId,
    name: optionalText(group.name) ?? pbiWorkspaceId,
    onCapacity: group.isondedicatedcapacity === true,
  };
}

export const parseProfile = (item: unknown): string => id(fields(item).id);

export const parseGroupCapacity = (item: unknown): string | null => optionalId(fields(item).capacityid);

export function parseCapacity(item: unknown): { id: string; state: CapacityState } {
  const capacity = fields(item);
  const state = optionalText(capacity.state)?.toLowerCase();
  return {
    id: id(capacity.id),
    state: state === 'active' ? 'active' : state === undefined ? 'unknown' : 'paused',
  };
}

/** Embedding sends a token to that address, so it must be one of the cloud's own. */
function allowedUrl(value: unknown, hosts: readonly string[]): string {
  const url = optionalText(value) ?? '';
  return URL.canParse(url) && hosts.includes(new URL(url).hostname) ? url : '';
}

export const parseReport =
  (embedHosts: readonly string[]) =>
  (item: unknown): PbiReport => {
    const report = fields(item);
    const pbiReportId = id(report.id);
    return {
      pbiReportId,
      name: optionalText(report.name) ?? pbiReportId,
      description: optionalText(report.description) ?? null,
      reportType: report.reporttype === 'PaginatedReport' ? 'PaginatedReport' : 'PowerBIReport',
      webUrl: optionalText(report.weburl) ?? '',
      embedUrl: allowedUrl(report.embedurl, embedHosts),
      pbiDatasetId: optionalId(report.datasetid),
    };
  };

export function parseDataset(item: unknown): PbiDataset {
  const dataset = fields(item);
  const pbiDatasetId = id(dataset.id);
  return {
    pbiDatasetId,
    name: optionalText(dataset.name) ?? pbiDatasetId,
    identityRequired: flag(dataset.iseffectiveidentityrequired),
    identityRolesRequired: flag(dataset.iseffectiveidentityrolesrequired),
  };
}

/** A workspace with what is in it; a list that was not sent is taken for an empty one. */
export const parseWorkspaceContent =
  (embedHosts: readonly string[]) =>
  (item: unknown): PbiWorkspaceContent => {
    const { reports, datasets } = fields(item);
    return {
      ...parseWorkspace(item),
      reports: parseList({ value: reports ?? [] }, parseReport(embedHosts)),
      datasets: parseList({ value: datasets ?? [] }, parseDataset),
    };
  };

/** `now` by the clock that made the token. */
export function parseEmbedToken(body: unknown, now: Date): PbiEmbedToken {
  const { token, tokenid, expiration } = fields(body);
  const expiresAt = new Date(typeof expiration === 'string' ? expiration : Number.NaN);
  if (typeof token !== 'string' || token === '' || Number.isNaN(expiresAt.getTime())) {
    throw new MalformedAnswer('an embed token was expected');
  }
  const expiresIn = Math.floor((expiresAt.getTime() - now.getTime()) / 1000);
  if (expiresIn <= 0) throw new MalformedAnswer('a token that is still good was expected');
  return { token, tokenId: id(tokenid), expiresAt, expiresIn };
}
