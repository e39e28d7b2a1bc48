import type { Problem } from '../core/problems/problem.js';

/** What Power BI knows, in our words. Ids are lower-case UUIDs; `null` means that Power BI did not say. */
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
  /** On a host of the cloud; null where Power BI gave none. */
  webUrl: string | null;
  /** On a host that may be embedded from, or empty where Power BI gave none. */
  embedUrl: string;
  pbiDatasetId: string | null;
}

export interface PbiDataset {
  pbiDatasetId: string;
  name: string;
  /** Null is unknown, not false: the flags are hidden from a caller that may only read the dataset. */
  identityRequired: boolean | null;
  identityRolesRequired: boolean | null;
}

/** `shared`: none, so embed tokens are rationed. */
export type CapacityState = 'active' | 'paused' | 'shared' | 'unknown';

export interface PbiWorkspaceContent extends PbiWorkspace {
  reports: PbiReport[];
  datasets: PbiDataset[];
  /** The content could not be read. */
  problem?: Problem;
}

/** Who the viewer is inside the data. */
export interface EffectiveIdentity {
  username: string;
  roles: string[];
  customData?: string;
  datasets: string[];
  /** For paginated reports only. */
  reports?: string[];
}

/** Counts what a sync costs. The caller makes it and reads it; the client adds to it. */
export interface CallMeter {
  calls: number;
  throttledSeconds: number;
}

export interface CallOptions {
  signal?: AbortSignal;
  meter?: CallMeter;
  /** Service principal profile to act as. */
  profileId?: string;
  /** For jobs: waits a throttling pause out instead of failing with `power_bi_throttled`. */
  patient?: boolean;
}

export interface EmbedTokenRequest extends CallOptions {
  /** Ids of reports, datasets and workspaces as Power BI knows them. */
  reports: string[];
  datasets: string[];
  targetWorkspaces?: string[];
  allowEdit: boolean;
  identities: EffectiveIdentity[];
  lifetimeMinutes: number;
}

export interface PbiEmbedToken {
  token: string;
  tokenId: string;
  expiresAt: Date;
  /** Whole seconds of life left by Power BI's own clock, so ours may be wrong. */
  expiresIn: number;
}

export interface PowerBiStatus {
  status: 'ok' | 'degraded' | 'down';
  detail?: string;
}
