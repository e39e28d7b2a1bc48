import { endOf } from '../../access/ends.js';
import type { PlatformRole, WorkspaceRole } from '../../access/roles.js';
import type { NewInvitation } from './use-invitations.js';

interface GrantRow {
  key: number;
  workspaceId: string | null;
  role: WorkspaceRole;
  ends: string;
}

export interface AccessValues {
  role: PlatformRole;
  grants: GrantRow[];
}

let count = 0;

export const grantRow = (workspaceId: string | null = null): GrantRow => ({
  key: (count += 1),
  workspaceId,
  role: 'viewer',
  ends: '',
});

/** What is wrong, by the path of the field. A manager invites into workspaces, not into nothing. */
export function wrongAccess({ grants }: AccessValues, isAdmin: boolean): Record<string, string> {
  const errors: Record<string, string> = {};
  const ids = grants.map(({ workspaceId }) => workspaceId);
  for (const [index, id] of ids.entries()) {
    if (id === null) errors[`grants.${index}.workspaceId`] = 'Choose one, or leave this out';
    else if (ids.indexOf(id) < index) errors[`grants.${index}.workspaceId`] = 'This one is chosen already';
  }
  if (!isAdmin && grants.length === 0) errors.grants = 'Add a workspace that you manage';
  return errors;
}

export const bodyOf = ({ role, grants }: AccessValues): Pick<NewInvitation, 'role' | 'workspaces'> => ({
  role,
  workspaces: grants.flatMap((grant) =>
    grant.workspaceId === null
      ? []
      : [{ workspace_id: grant.workspaceId, role: grant.role, expires_at: endOf(grant.ends) }],
  ),
});
