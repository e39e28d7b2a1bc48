import type { WorkspaceRole } from './roles.js';

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
export interface NewGrant extends Target {
  /** On a report viewer or editor. */
  role: WorkspaceRole;
  expiresAt: Date | null;
  /** By default the user who writes the grant. */
  grantedBy?: string;
  /** Whether the right to give it was derived: through a group, or from a rule or SCIM. */
  isByDerivedRight?: boolean;
}

/** The id of the report or, for a whole workspace, of the workspace. */
export const targetIdOf = ({
  workspaceId,
  reportId,
}: {
  workspaceId: string;
  reportId?: string | null;
}): string => reportId ?? workspaceId;
