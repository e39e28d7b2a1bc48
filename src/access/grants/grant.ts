export type { Holder } from '../groups/group-edges.queries.js';

/** Weakest first; each role includes the rights of the roles before it. */
export const workspaceRoles = ['viewer', 'editor', 'manager'] as const;

export type WorkspaceRole = (typeof workspaceRoles)[number];

/** Roles of a grant on a single report. */
export const reportRoles = ['viewer', 'editor'] as const;

export type ReportRole = (typeof reportRoles)[number];

export const isAtLeast = (role: WorkspaceRole, needed: WorkspaceRole): boolean =>
  workspaceRoles.indexOf(role) >= workspaceRoles.indexOf(needed);

/** What a user may do with a report. */
export type ReportAccess = 'view' | 'edit';

/** The roles that allow this access to a report. */
export const rolesAllowing: Readonly<Record<ReportAccess, readonly WorkspaceRole[]>> = {
  view: workspaceRoles,
  edit: workspaceRoles.filter((role) => isAtLeast(role, 'editor')),
};

/** Which of a holder's grants on the same target: set by a person, by a rule on the identity provider's claims, or by SCIM. */
export type GrantSource = 'manual' | 'provider' | 'scim';

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
