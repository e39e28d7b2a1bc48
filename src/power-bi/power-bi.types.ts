import type { Problem } from '../core/problems/problem.js';

/** Power BI's objects in Vitrine's terms. Ids are lower-case UUIDs; `null` means that Power BI returned no value. */
export interface PbiWorkspace {
  pbiWorkspaceId: string;
  name: string;
  onCapacity: boolean;
}

export interface PbiReport {
  pbiReportId: string;
  name: string;
  description: string | null;
  reportType: 'PowerBIReport' | 'PaginatedReport';
  /** URL on an allowed host; null otherwise. */
  webUrl: string | null;
  /** URL on an allowed host; empty otherwise. */
  embedUrl: string;
  pbiDatasetId: string | null;
}

export interface PbiDataset {
  pbiDatasetId: string;
  name: string;
  /** Null means unknown, not false: Power BI omits the flags for callers with only read permission on the dataset. */
  identityRequired: boolean | null;
  identityRolesRequired: boolean | null;
}

/** A refresh of a dataset. */
export interface PbiRefresh {
  status: 'succeeded' | 'failed' | 'running' | 'cancelled';
  /** When it ended; when it started, if it is still running. */
  at: Date;
}

/** `shared`: no capacity is assigned, so the number of embed tokens is limited. */
export type CapacityState = 'active' | 'paused' | 'shared' | 'unknown';

export interface PbiWorkspaceContent extends PbiWorkspace {
  reports: PbiReport[];
  datasets: PbiDataset[];
  /** Set when the content could not be read. */
  problem?: Problem;
}

/** The viewer's identity for row-level security. */
export interface EffectiveIdentity {
  username: string;
  roles: string[];
  customData?: string;
  datasets: string[];
  /** For paginated reports only. */
  reports?: string[];
  /** Name of the viewer in Power BI's audit log; without it, the log does not contain the identity. */
  auditableContext?: string;
}

/** Counts the calls and the throttling time of a sync. The caller creates and reads it; the client increments it. */
export interface CallMeter {
  calls: number;
  /** Concurrent waits count once. */
  throttledSeconds: number;
  /** End of the last wait that counts, in milliseconds since 1970. */
  throttledUntil?: number;
}

export interface CallOptions {
  signal?: AbortSignal;
  meter?: CallMeter;
  /** Service principal profile to act as. */
  profileId?: string;
  /** For background jobs: waits for a throttle window to end instead of failing with `power_bi_throttled`. */
  patient?: boolean;
}

export interface EmbedTokenRequest extends CallOptions {
  /** Power BI's ids of reports and datasets. */
  reports: string[];
  datasets: string[];
  /** Whether the report is paginated: it queries its dataset by XMLA. */
  isPaginated: boolean;
  allowEdit: boolean;
  identities: EffectiveIdentity[];
  lifetimeMinutes: number;
}

export interface PbiEmbedToken {
  token: string;
  tokenId: string;
  expiresAt: Date;
  /** Remaining lifetime in whole seconds by Power BI's clock, so a wrong local clock has no effect. */
  expiresIn: number;
}

export interface PowerBiStatus {
  status: 'ok' | 'degraded' | 'down';
  detail?: string;
}

/** Power BI's ids of an export. */
export interface PbiExportRef {
  pbiWorkspaceId: string;
  pbiReportId: string;
  pbiExportId: string;
}

export interface ExportOrder extends Pick<PbiExportRef, 'pbiWorkspaceId' | 'pbiReportId'> {
  reportType: PbiReport['reportType'];
  format: string;
  /** Null for a dataset without row-level security. */
  identity: EffectiveIdentity | null;
  /** Names of pages; empty: all. */
  pages: readonly string[];
  /** State of a bookmark. */
  viewState: string | null;
}

export interface ExportProgress {
  id: string;
  state: 'waiting' | 'running' | 'succeeded' | 'failed';
  percent: number;
  /** Extension of the file with its dot; null before the end. */
  extension: string | null;
  /** Power BI's reason of a failure. */
  error: { code?: string; message?: string };
  /** Seconds until the next request; after a failure, until a new attempt. */
  retryAfter?: number;
}
