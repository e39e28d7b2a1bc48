import type { EntityManager } from 'typeorm';
import type { IdentityPolicy } from '../catalogue/dataset.entity.js';
import { effectiveGrantsOn } from '../grants/grants.queries.js';
import { execute } from '../core/database/execute.js';
import type { PlatformRole } from '../core/http/principal.js';
import type { Report } from '../reports/report.entity.js';
import type { WorkspaceRole } from '../grants/roles.js';
import { lockUsers } from '../users/users.queries.js';
import type { Revoked } from './embed-revocation.entity.js';

/** Rights and embedding data of one user and one report. */
export interface EmbedRightsRow {
  user_id: string;
  status: 'active' | 'disabled';
  role: PlatformRole;
  kind: 'person' | 'service';
  email: string;
  attributes: Record<string, string>;
  /** Whether a grant that is valid now has one of the sufficient roles. */
  suffices: boolean;
  /** When the last of these grants expires; null: never. */
  ends_at: Date | null;
  is_revoked: boolean;
  report_id: string;
  workspace_id: string;
  pbi_report_id: string;
  pbi_dataset_id: string | null;
  report_type: Report['reportType'];
  embed_url: string;
  report_name: string;
  pbi_workspace_id: string;
  pbi_profile_id: string | null;
  /** Whether viewers of the workspace may export its reports. */
  viewers_can_export: boolean;
  /** Null, like everything about the dataset, when it is not in the catalogue. */
  dataset_id: string | null;
  identity_required: boolean | null;
  identity_roles_required: boolean | null;
  identity_policy: IdentityPolicy | null;
  policy_version: number | null;
}

interface RightsQuery {
  userId: string;
  reportId: string;
  /** The workspace roles that allow the access. */
  roles: readonly WorkspaceRole[];
  now: Date;
}

/**
 * SQL condition: whether an active revocation applies to this user and report. The arguments are SQL expressions. Revocations of
 * users, of reports and of workspaces are each found by an index, however many there are of others.
 */
export function isRevoked(userId: string, reportId: string, workspaceId: string): string {
  const isReport = `(report_id IS NULL OR report_id = ${reportId})`;
  const isWorkspace = `(workspace_id IS NULL OR workspace_id = ${workspaceId})`;
  const exists = (where: string): string =>
    `EXISTS (SELECT FROM embed_revocations WHERE lifted_at IS NULL AND ${where})`;
  return `(${exists(`user_id = ${userId} AND ${isReport} AND ${isWorkspace}`)}
    OR ${exists(`user_id IS NULL AND report_id = ${reportId} AND ${isWorkspace}`)}
    OR ${exists(`user_id IS NULL AND report_id IS NULL AND workspace_id = ${workspaceId}`)})`;
}

// A report may use a dataset of another workspace: the dataset in the report's workspace comes first, then the oldest,
// so that the same policy applies each time.
const scope = { user: '$1', now: '$4' };
const rights = `
SELECT u.id AS user_id, u.status, u.role, u.kind, u.email, u.attributes, g.suffices, g.ends_at,
  ${isRevoked('u.id', 'r.id', 'r.workspace_id')} AS is_revoked,
  r.id AS report_id, r.workspace_id, r.pbi_report_id, r.pbi_dataset_id, r.report_type, r.embed_url,
  r.name AS report_name, w.pbi_workspace_id, w.pbi_profile_id, w.viewers_can_export, d.id AS dataset_id, d.identity_required, d.identity_roles_required, d.identity_policy,
  d.policy_version
FROM reports r
JOIN workspaces w ON w.id = r.workspace_id
JOIN users u ON u.id = $1
CROSS JOIN LATERAL (
  SELECT count(*) > 0 AS is_member, coalesce(bool_or(granted.role = ANY ($3)), false) AS suffices,
    nullif(max(coalesce(granted.expires_at, 'infinity')) FILTER (WHERE granted.role = ANY ($3)), 'infinity') AS ends_at
  FROM (${effectiveGrantsOn('role, expires_at', scope, { workspace: 'r.workspace_id', report: 'r.id' })}) AS granted
) g
LEFT JOIN LATERAL (
  SELECT * FROM datasets WHERE datasets.pbi_dataset_id = r.pbi_dataset_id AND retired_at IS NULL
  ORDER BY datasets.workspace_id = r.workspace_id DESC, datasets.id LIMIT 1
) d ON true
WHERE r.id = $2 AND r.retired_at IS NULL AND (u.role = 'admin' OR g.is_member)`;

/**
 * Reads rights, revocations, report, dataset and policy in one query; undefined for a report that the user may not see.
 */
export async function readEmbedRights(
  manager: EntityManager,
  { userId, reportId, roles, now }: RightsQuery,
): Promise<EmbedRightsRow | undefined> {
  const { rows } = await execute<EmbedRightsRow>(manager, rights, [userId, reportId, [...roles], now]);
  return rows[0];
}

/**
 * Excludes changes of the report, the disabling of the user and revocations until the transaction ends. A statement of its
 * own, before the one that reads the rights: that one then sees what was committed while this one waited.
 */
export async function lockForIssue(tx: EntityManager, userId: string, reportId: string): Promise<void> {
  await lockUsers(tx, [userId], 'KEY SHARE');
  await execute(tx, 'SELECT FROM reports WHERE id = $1 FOR SHARE', [reportId]);
}

/** Waits for the tokens that are being issued, and excludes new ones until the transaction ends. */
export async function lockForRevocation(
  tx: EntityManager,
  callerId: string,
  { userId, reportId, workspaceId }: Revoked,
): Promise<void> {
  // The caller too, whose row the revocation refers to: users come before reports.
  await lockUsers(tx, userId === null ? [callerId] : [callerId, userId], 'UPDATE');
  if (userId !== null) return;
  await execute(
    tx,
    'SELECT FROM reports WHERE id = $1 OR $1 IS NULL AND workspace_id = $2 ORDER BY id FOR NO KEY UPDATE',
    [reportId, workspaceId],
  );
}
