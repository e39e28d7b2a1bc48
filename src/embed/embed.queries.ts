// SQL, because rights and token are one measured statement, and functions of the database take the locks.
import type { EntityManager } from 'typeorm';
import { auditCtes, auditCteValues, type AuditRows } from '../platform/audit/audit.queries.js';
import type { IdentityPolicy } from '../catalogue/dataset.entity.js';
import { execute } from '../core/database/execute.js';
import type { Report } from '../reports/report.entity.js';
import { lockReports } from '../reports/reports.queries.js';
import type { WorkspaceRole } from '../access/grants/grant.js';
import { lockUsers } from '../users/users.queries.js';
import type { Revoked } from './embed-revocation.entity.js';
import type { IssuedEmbedToken } from './issued-token.entity.js';

/** Rights and embedding data of one user and one report. */
export interface EmbedRightsRow {
  user_id: string;
  status: 'active' | 'disabled';
  kind: 'person' | 'service';
  email: string;
  attributes: Record<string, string>;
  /** Whether the user is an admin, or has a grant with one of the sufficient roles that is valid now. */
  suffices: boolean;
  /** When the last of these grants expires; null: never, as for an admin. */
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

/** SQL condition: whether an active revocation applies to this user and report. The arguments are SQL expressions. */
export const isRevoked = (userId: string, reportId: string, workspaceId: string): string =>
  `EXISTS (SELECT FROM active_revocations(${userId}, ${reportId}, ${workspaceId}))`;

// Report, workspace, user and dataset of a right `g`. A report may use a dataset of another workspace: the dataset in the report's
// workspace comes first, then the oldest, so that the same policy applies each time. OFFSET makes PostgreSQL look the dataset up by
// its id: without statistics it reads the index of all present datasets, too.
const joined = `
JOIN reports r ON r.id = g.report_id
JOIN workspaces w ON w.id = g.workspace_id
JOIN users u ON u.id = g.user_id
LEFT JOIN LATERAL (
  SELECT * FROM (SELECT * FROM datasets WHERE datasets.pbi_dataset_id = r.pbi_dataset_id OFFSET 0) AS listed
  WHERE retired_at IS NULL ORDER BY listed.workspace_id = r.workspace_id DESC, listed.id LIMIT 1
) d ON true`;

const rights = `
SELECT u.id AS user_id, g.status, u.kind, u.email, u.attributes, g.suffices, g.ends_at, g.is_revoked,
  r.id AS report_id, r.workspace_id, r.pbi_report_id, r.pbi_dataset_id, r.report_type, r.embed_url,
  r.name AS report_name, w.pbi_workspace_id, w.pbi_profile_id, w.viewers_can_export, d.id AS dataset_id, d.identity_required, d.identity_roles_required, d.identity_policy,
  d.policy_version
FROM embed_right($1, $2, $3, $4) g ${joined}`;

/** Everything that determines scope and effective identity of a token, as SQL and of a row. */
const inputs = `jsonb_build_array(g.workspace_id, r.pbi_report_id, r.pbi_dataset_id, r.report_type, w.pbi_profile_id, u.email,
  u.attributes, d.id, d.identity_required, d.identity_roles_required, d.policy_version)`;
const inputsOf = (row: EmbedRightsRow): unknown[] => [
  row.workspace_id,
  row.pbi_report_id,
  row.pbi_dataset_id,
  row.report_type,
  row.pbi_profile_id,
  row.email,
  row.attributes,
  row.dataset_id,
  row.identity_required,
  row.identity_roles_required,
  row.policy_version,
];

const valuesOf = ({ userId, reportId, roles, now }: RightsQuery): unknown[] => [
  userId,
  reportId,
  [...roles],
  now,
];

/**
 * Reads rights, revocations, report, dataset and policy in one query; undefined for a report that the user may not see.
 */
export async function readEmbedRights(
  manager: EntityManager,
  query: RightsQuery,
): Promise<EmbedRightsRow | undefined> {
  const { rows } = await execute<EmbedRightsRow>(manager, rights, valuesOf(query));
  return rows[0];
}

export type Right = Pick<EmbedRightsRow, 'status' | 'suffices' | 'ends_at' | 'is_revoked'>;

/**
 * The right as it is when the token is recorded, whether what determines the token is the same as when it was requested, and whether
 * it was recorded.
 */
export type IssueRow = Right & { is_same: boolean; is_issued: boolean };

// `lock_embed_right` locks the user and the report, and then reads the right: docs/decisions/embed-revocation.md. It returns one row at
// most; without LIMIT PostgreSQL assumes a thousand, and reads whole tables to join them.
const issue = `
WITH g AS MATERIALIZED (SELECT * FROM lock_embed_right($1, $2, $3, $4) LIMIT 1),
same AS (SELECT FROM g ${joined} WHERE ${inputs} = $13::jsonb),
issued AS (
  INSERT INTO issued_tokens (id, token_id, user_id, report_id, workspace_id, access, identity, issued_at, expires_at,
    last_issued_at, ip, request_id)
  SELECT $5::uuid, $6::uuid, user_id, report_id, workspace_id, $7, $8::jsonb, $4, $9::timestamptz, $4, $10, $11 FROM g
  WHERE status = 'active' AND suffices AND NOT is_revoked AND (ends_at IS NULL OR ends_at >= $12::timestamptz)
    AND EXISTS (SELECT FROM same)
  RETURNING id
),
${auditCtes(14, 'EXISTS (SELECT FROM issued)')}
SELECT status, suffices, ends_at, is_revoked, EXISTS (SELECT FROM same) AS is_same, EXISTS (SELECT FROM issued) AS is_issued
FROM g`;

type NewIssuedToken = Pick<
  IssuedEmbedToken,
  'id' | 'tokenId' | 'access' | 'identity' | 'expiresAt' | 'ip' | 'requestId'
>;

/**
 * Reads the right again and, if it allows the token, lasts until `rightUntil` and has the inputs of `requested`, records the token
 * with its audit event: in one statement. Undefined for a report that the user may no longer see.
 */
export async function issueEmbedToken(
  manager: EntityManager,
  query: RightsQuery,
  {
    token,
    rightUntil,
    requested,
    audit,
  }: { token: NewIssuedToken; rightUntil: Date; requested: EmbedRightsRow; audit: AuditRows },
): Promise<IssueRow | undefined> {
  const { id, tokenId, access, identity, expiresAt, ip, requestId } = token;
  const values = [id, tokenId, access, identity, expiresAt, ip, requestId, rightUntil];
  const { rows } = await execute<IssueRow>(manager, issue, [
    ...valuesOf(query),
    ...values,
    JSON.stringify(inputsOf(requested)),
    ...auditCteValues(audit),
  ]);
  return rows[0];
}

/**
 * Excludes changes of the report, the disabling of the user and revocations until the transaction ends. A statement that follows sees
 * what was committed while this one waited.
 */
export const lockEmbedRight = (tx: EntityManager, query: RightsQuery): Promise<unknown> =>
  execute(tx, 'SELECT FROM lock_embed_right($1, $2, $3, $4)', valuesOf(query));

/** Waits for the tokens that are being issued, and excludes new ones until the transaction ends. */
export async function lockForRevocation(
  tx: EntityManager,
  callerId: string,
  { userId, reportId, workspaceId }: Revoked,
): Promise<void> {
  // The caller too, whose row the revocation refers to: users come before reports.
  await lockUsers(tx, userId === null ? [callerId] : [callerId, userId], 'UPDATE');
  if (userId !== null) return;
  await lockReports(tx, reportId === null ? { workspaceId: workspaceId as string } : { id: reportId });
}
