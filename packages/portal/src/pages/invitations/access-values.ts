import { t } from 'i18next';
import { expiryOf } from '../../access/expiry.js';
import type { PlatformRole, WorkspaceRole } from '../../access/roles.js';
import type { Target } from '../../access/use-grants.js';
import type { Choice } from '../../api/sources.js';
import type { components } from '../../api/schema.js';
import type { NewInvitation } from './use-invitations.js';

interface GrantRow {
  key: number;
  type: Target['type'];
  targetId: string | null;
  role: WorkspaceRole;
  expires: string;
}

export interface AccessValues {
  role: PlatformRole;
  grants: GrantRow[];
  groups: Choice[];
}

let count = 0;

export const grantRow = (type: Target['type'] = 'workspace', targetId: string | null = null): GrantRow => ({
  key: (count += 1),
  type,
  targetId,
  role: 'viewer',
  expires: '',
});

/** Errors by the path of the field. A manager has to grant at least one workspace or report. */
export function accessErrors({ grants }: AccessValues, isAdmin: boolean): Record<string, string> {
  const errors: Record<string, string> = {};
  const ids = grants.map(({ targetId }) => targetId);
  for (const [index, id] of ids.entries()) {
    if (id === null) errors[`grants.${index}.targetId`] = t('Make a selection or remove this entry');
    else if (ids.indexOf(id) < index) errors[`grants.${index}.targetId`] = t('Already selected');
  }
  if (!isAdmin && grants.length === 0) errors.grants = t('Add a workspace or report that you manage');
  return errors;
}

/** The JSON pointer of a row's member in the body, where workspaces and reports are two lists. */
export const pointerOf = ({ grants }: AccessValues, index: number, member: string): string => {
  const type = grants[index]?.type;
  const position = grants.slice(0, index).filter((row) => row.type === type).length;
  return `${type}s/${position}/${member}`;
};

type ReportRole = components['schemas']['InviteReportDto']['role'];

export function bodyOf({
  role,
  grants,
  groups,
}: AccessValues): Pick<NewInvitation, 'role' | 'workspaces' | 'reports' | 'groups'> {
  const granted = (type: Target['type']) =>
    grants.flatMap((row) =>
      row.type !== type || row.targetId === null
        ? []
        : [{ id: row.targetId, role: row.role, expires_at: expiryOf(row.expires) }],
    );
  return {
    role,
    workspaces: granted('workspace').map(({ id, ...grant }) => ({ workspace_id: id, ...grant })),
    // The role picker of a report does not offer `manager`.
    reports: granted('report').map(({ id, ...grant }) => ({
      report_id: id,
      ...grant,
      role: grant.role as ReportRole,
    })),
    groups: groups.map(({ id }) => id),
  };
}
