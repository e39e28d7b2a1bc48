export type AccessRight = 'None' | 'Viewer' | 'Contributor' | 'Member' | 'Admin';

export interface Member {
  /** A user's UPN, or a service principal's object id. */
  identifier: string;
  principalType: 'None' | 'User' | 'Group' | 'App';
  groupUserAccessRight: AccessRight;
  displayName?: string;
  emailAddress?: string;
  profile?: { id: string; displayName: string };
  /** Time of the grant, in emulator time; absent: always granted. */
  since?: number;
}

/** A refresh before the content was loaded. */
export interface PastRefresh {
  status: 'Completed' | 'Failed' | 'Cancelled' | 'Unknown';
  /** When it started, before the content was loaded. */
  minutesAgo: number;
  /** Default: 5. A refresh with status `Unknown` has not ended. */
  durationMinutes?: number;
}

export interface RefreshSchedule {
  days: string[];
  times: string[];
  enabled: boolean;
  localTimeZoneId: string;
  notifyOption: string;
}

export interface DatasetParameter {
  name: string;
  type: string;
  isRequired: boolean;
  currentValue?: string;
}

export interface DatasetUser {
  identifier: string;
  principalType: Member['principalType'];
  datasetUserAccessRight: string;
}

export interface DirectQuerySchedule {
  /** In minutes; absent: at the times of these days. */
  frequency?: number;
  days: string[];
  times: string[];
  localTimeZoneId: string;
}

export interface Dataset {
  id: string;
  name: string;
  configuredBy: string;
  createdDate: string;
  isEffectiveIdentityRequired: boolean;
  isEffectiveIdentityRolesRequired: boolean;
  /** Roles that the model defines. */
  roles: string[];
  /** Live connection to Analysis Services. */
  liveConnection?: boolean;
  /** Queries its source directly: it is never refreshed. */
  directQuery?: boolean;
  /** In any order. */
  refreshes?: PastRefresh[];
  /** Absent: disabled. */
  refreshSchedule?: RefreshSchedule;
  /** Of a DirectQuery or live dataset; absent: every 60 minutes. */
  directQuerySchedule?: DirectQuerySchedule;
  /** Name of the demo data that the embed page renders. */
  data?: string;
  /** Further tables for `executeQueries`, by name. */
  tables?: Record<string, Record<string, unknown>[]>;
  /** Absent: a database. */
  datasources?: Record<string, unknown>[];
  parameters?: DatasetParameter[];
  /** Users with a permission on the dataset besides the members of the workspace. */
  users?: DatasetUser[];
  targetStorageMode?: string;
  queryScaleOutSettings?: Record<string, unknown>;
}

export interface ReportPage {
  name: string;
  displayName: string;
}

export interface Report {
  id: string;
  name: string;
  description?: string;
  reportType: 'PowerBIReport' | 'PaginatedReport';
  datasetId?: string;
  /** The report that it was cloned from. */
  originalReportId?: string;
  pages: ReportPage[];
  /** Name of its sensitivity label: a service principal cannot export it. */
  sensitivityLabel?: string;
}

/** A visual on a dashboard. Without a dataset, it is a text box. */
export interface Tile {
  id: string;
  title: string;
  reportId?: string;
  datasetId?: string;
  rowSpan: number;
  colSpan: number;
  /** Name of the report's visual that it shows. */
  visual?: TileVisual;
}

export type TileVisual = 'total' | 'count' | 'trend' | 'share' | 'by-category' | 'by-detail';

export interface Dashboard {
  id: string;
  displayName: string;
  isReadOnly?: boolean;
  tiles: Tile[];
}

/** A published workspace: its reports and dashboards, for readers. */
export interface App {
  id: string;
  name: string;
  description?: string;
  publishedBy: string;
  lastUpdate: string;
  workspaceId: string;
  /** Its readers, besides the members of the workspace. */
  users?: AppReader[];
}

export interface AppReader {
  /** UPN. */
  identifier: string;
  displayName?: string;
  emailAddress?: string;
  graphId?: string;
}

/** An event of the activity log before the content was loaded, with any other properties of the event. */
export interface PastActivity {
  Activity: string;
  /** Either the time of the event or how long ago it happened when the content was loaded. */
  CreationTime?: string;
  minutesAgo?: number;
  UserId?: string;
  [property: string]: unknown;
}

export interface Workspace {
  id: string;
  name: string;
  description?: string;
  type: 'Workspace' | 'PersonalGroup';
  state: 'Active' | 'Deleted' | 'Removing';
  /** Absent: shared capacity. */
  capacityId?: string;
  defaultDatasetStorageFormat?: 'Small' | 'Large';
  members: Member[];
  reports: Report[];
  datasets: Dataset[];
  dashboards?: Dashboard[];
  logAnalyticsWorkspace?: Record<string, unknown>;
  /** Its last assignment to a capacity; times in emulator time (milliseconds). */
  assignment?: { id: string; started: number; ends: number; fails: boolean };
  /** Last modification, in emulator time (milliseconds); absent: before all other modifications. */
  modified?: number;
}

export interface Capacity {
  id: string;
  displayName: string;
  sku: string;
  state: 'Active' | 'Suspended';
  region: string;
  /** UPNs of its administrators. */
  admins?: string[];
  capacityUserAccessRight?: 'None' | 'Assign' | 'Admin';
  workloads?: Workload[];
  tenantKeyId?: string;
}

export interface Workload {
  name: string;
  state: 'Enabled' | 'Disabled' | 'Unsupported';
  maxMemoryPercentageSetByUser?: number;
}

export interface ServicePrincipal {
  clientId: string;
  objectId: string;
  displayName: string;
  secrets: { value: string; expiresAt?: string }[];
  /** PEM certificates that may sign the principal's client assertions. */
  certificates: string[];
  /** Registered redirect URIs; absent: any. */
  redirectUris?: string[];
}

export interface Profile {
  id: string;
  displayName: string;
  /** Object id of the service principal that created it and permanently owns it. */
  servicePrincipalId: string;
}

/** A complete tenant, in the format of `POST /__emulator/content`. */
export interface Seed {
  principals?: ServicePrincipal[];
  capacities?: Capacity[];
  profiles?: Profile[];
  workspaces: Workspace[];
  apps?: App[];
  activities?: PastActivity[];
}
