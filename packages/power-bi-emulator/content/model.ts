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
  /** Name of the demo data that the embed page renders. */
  data?: string;
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
  pages: ReportPage[];
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
  /** Last modification, in emulator time (milliseconds); absent: before all other modifications. */
  modified?: number;
}

export interface Capacity {
  id: string;
  displayName: string;
  sku: string;
  state: 'Active' | 'Suspended';
  region: string;
}

export interface ServicePrincipal {
  clientId: string;
  objectId: string;
  displayName: string;
  secrets: { value: string; expiresAt?: string }[];
  /** PEM certificates that may sign the principal's client assertions. */
  certificates: string[];
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
}
