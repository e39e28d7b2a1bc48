import type { GrantSource, WorkspaceRole } from './roles.js';

/** Who holds a grant. */
export interface Holder {
  type: 'user' | 'group';
  id: string;
}

/** A workspace, or one report of it. */
export interface Target {
  workspaceId: string;
  reportId?: string;
}

/** What a holder is granted. */
export interface Grant extends Target {
  /** On a report viewer or editor. */
  role: WorkspaceRole;
  expiresAt: Date | null;
  /** By default the user who writes the grant. */
  grantedBy?: string;
  /** Whether the right to give it was derived: through a group, or from a rule or SCIM. */
  isByDerivedRight?: boolean;
}

/** A row of `workspace_grants`, or of `report_grants`, whose `workspaceId` is that of the report. */
export interface StoredGrant {
  holderType: Holder['type'];
  holderId: string;
  workspaceId: string;
  /** Null for a grant on the whole workspace. */
  reportId: string | null;
  role: WorkspaceRole;
  source: GrantSource;
  expiresAt: Date | null;
  /** Null for a grant of a rule, and for grants from before release 0.2. */
  grantedBy: string | null;
  createdAt: Date;
}
