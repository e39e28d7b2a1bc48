export type AccessRight = 'None' | 'Viewer' | 'Contributor' | 'Member' | 'Admin';

export interface Member {
  /** A user's UPN, or a service principal's object id. */
  identifier: string;
  principalType: 'None' | 'User' | 'Group' | 'App';
  groupUserAccessRight: AccessRight;
  displayName?: string;
  emailAddress?: string;
  profile?: { id: string; displayName: string };
  /** When it was given, in emulator time; absent: always there. */
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
  /** Name of the demo data that the embed page draws. */
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
  /** When it last changed, in emulator time (milliseconds); absent: before anything here. */
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
  /** PEM certificates it may sign its assertions with. */
  certificates: string[];
}

export interface Profile {
  id: string;
  displayName: string;
  /** Object id of the service principal that made it and owns it for ever. */
  servicePrincipalId: string;
}

/** A whole tenant, as `POST /__emulator/content` takes it. */
export interface Seed {
  principals?: ServicePrincipal[];
  capacities?: Capacity[];
  profiles?: Profile[];
  workspaces: Workspace[];
}
