// SQL, because it joins the names of other modules, and the deciders are found through groups.
import type { EntityManager } from 'typeorm';
import { execute, Parameters, queryRows } from '../../core/database/execute.js';
import { eraseRows, type PersonalData, recordedOnly, rowsById } from '../../core/database/personal-data.js';
import type { Principal } from '../../core/http/principal.js';
import { type Keyset, keysetSql } from '../../core/lists/pagination.js';
import { emailOf } from '../../users/users.queries.js';
import { managedBy, managersOf } from '../grants/grants.queries.js';
import { type AccessDecision, AccessRequest } from './access-request.entity.js';

export type AccessRequestStatus = 'pending' | AccessDecision;

/** A request with the names that its list shows: null for its requester. A service account has no address. */
export interface ListedAccessRequest {
  id: string;
  status: AccessRequestStatus;
  requesterId: string;
  requesterName: string | null;
  requesterEmail: string | null;
  workspaceId: string | null;
  workspaceName: string | null;
  reportId: string | null;
  reportName: string | null;
  reason: string | null;
  createdAt: Date;
  decidedAt: Date | null;
}

/** One whose target exists. */
export type DecidableRequest = ListedAccessRequest & { workspaceId: string };

const own = `r.id, coalesce(r.decision, 'pending') AS status, r.requester_id AS "requesterId", r.reason, r.created_at,
  r.created_at AS "createdAt", r.decided_at AS "decidedAt",
  CASE r.target_type WHEN 'report' THEN r.target_id END AS "reportId"`;

/** SQL: the caller's own requests, without anything that the caller did not send. */
const ownRequests = (user: string): string => `
  SELECT ${own}, NULL AS "requesterName", NULL AS "requesterEmail", NULL AS "workspaceName", NULL AS "reportName",
    CASE r.target_type WHEN 'workspace' THEN r.target_id END AS "workspaceId"
  FROM access_requests r WHERE r.requester_id = ${user}`;

/** SQL: the requests that match, whose targets still exist, with names. */
const decidableRequests = (where: string): string => `
  SELECT ${own}, u.name AS "requesterName", ${emailOf('u.')} AS "requesterEmail", w.name AS "workspaceName",
    report.name AS "reportName", r.workspace_id AS "workspaceId"
  FROM access_requests r JOIN users u ON u.id = r.requester_id
    JOIN workspaces w ON w.id = r.workspace_id AND w.retired_at IS NULL
    LEFT JOIN reports report ON r.target_type = 'report' AND report.id = r.target_id AND report.retired_at IS NULL
  WHERE (r.target_type = 'workspace' OR report.id IS NOT NULL) AND ${where}`;

/** SQL condition: whether the caller may decide the request. */
function isDecidable({ id, role }: Principal, now: Date, parameters: Parameters): string {
  if (role === 'admin') return 'TRUE';
  return `r.workspace_id IN (${managedBy(parameters.add(id), parameters.add(now))})`;
}

interface ListQuery {
  caller: Principal;
  now: Date;
  mine: boolean;
  status?: AccessRequestStatus;
  keyset: Keyset;
}

/** One page of the caller's own requests, or of those that the caller may decide. */
export function listAccessRequests(
  manager: EntityManager,
  { caller, now, mine, status, keyset }: ListQuery,
): Promise<ListedAccessRequest[]> {
  const parameters = new Parameters();
  const listed = mine
    ? ownRequests(parameters.add(caller.id))
    : decidableRequests(isDecidable(caller, now, parameters));
  const { follows, order, limit } = keysetSql(keyset, parameters);
  const hasStatus = status === undefined ? 'TRUE' : `status = ${parameters.add(status)}`;
  return queryRows<ListedAccessRequest>(
    manager,
    `SELECT * FROM (${listed}) AS listed WHERE ${follows} AND ${hasStatus} ORDER BY ${order} LIMIT ${limit}`,
    parameters.values,
  );
}

async function findRequest(
  manager: EntityManager,
  where: string,
  values: unknown[],
): Promise<DecidableRequest | undefined> {
  return (await execute<DecidableRequest>(manager, decidableRequests(where), values)).rows[0];
}

/** A request that the caller may decide, with names. */
export function findDecidable(
  manager: EntityManager,
  caller: Principal,
  now: Date,
  id: string,
): Promise<DecidableRequest | undefined> {
  const parameters = new Parameters();
  const where = `r.id = ${parameters.add(id)} AND ${isDecidable(caller, now, parameters)}`;
  return findRequest(manager, where, parameters.values);
}

/** A request for its mails, whoever decides it. */
export const findForMail = (manager: EntityManager, id: string): Promise<DecidableRequest | undefined> =>
  findRequest(manager, 'r.id = $1', [id]);

/** The workspace of a workspace or report that exists. */
export async function workspaceOf(
  manager: EntityManager,
  { targetType, targetId }: Pick<AccessRequest, 'targetType' | 'targetId'>,
): Promise<string | null> {
  const text =
    targetType === 'workspace'
      ? 'SELECT id FROM workspaces WHERE id = $1 AND retired_at IS NULL'
      : `SELECT workspace_id AS id FROM reports r WHERE r.id = $1 AND r.retired_at IS NULL
           AND EXISTS (SELECT FROM workspaces w WHERE w.id = r.workspace_id AND w.retired_at IS NULL)`;
  const { rows } = await execute<{ id: string }>(manager, text, [targetId]);
  return rows[0]?.id ?? null;
}

type NewRequest = Omit<AccessRequest, 'decision' | 'decidedBy' | 'decidedAt'>;

/**
 * Stores a request unless one for the same target is pending. If the target of that one did not exist, and does now, it gets its
 * workspace: nothing that its requester sees changes. Returns the id of the request that its deciders can see from now on, if any.
 */
export async function storeRequest(
  manager: EntityManager,
  { id, requesterId, targetType, targetId, workspaceId, reason, createdAt }: NewRequest,
): Promise<string | undefined> {
  const { rows } = await execute<{ id: string }>(
    manager,
    `INSERT INTO access_requests AS r (id, requester_id, target_type, target_id, workspace_id, reason, created_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7)
     ON CONFLICT (requester_id, target_type, target_id) WHERE decided_at IS NULL
     DO UPDATE SET workspace_id = excluded.workspace_id
     WHERE r.workspace_id IS NULL AND excluded.workspace_id IS NOT NULL
     RETURNING r.id`,
    [id, requesterId, targetType, targetId, workspaceId, reason, createdAt],
  );
  return rows[0]?.id;
}

/** Up to `limit` active managers of the workspace, or admins if it has none. */
export async function findDeciders(
  manager: EntityManager,
  workspaceId: string,
  now: Date,
  limit: number,
): Promise<string[]> {
  const people = (where: string): string =>
    `SELECT id FROM users WHERE kind = 'person' AND status = 'active' AND ${where}`;
  const { rows } = await execute<{ id: string }>(
    manager,
    `WITH manager AS MATERIALIZED (${people(`id IN (${managersOf('$1', '$2')})`)})
     SELECT id FROM manager
     UNION ALL ${people(`role = 'admin' AND NOT EXISTS (SELECT FROM manager)`)} ORDER BY id LIMIT $3`,
    [workspaceId, now, limit],
  );
  return rows.map(({ id }) => id);
}

export const personalData: PersonalData[] = [
  {
    table: 'access_requests',
    columns: ['requester_id', 'reason'],
    holds: 'who asked for access, and why',
    export: {
      section: 'access_requests',
      rows: rowsById(
        `SELECT id, target_type, target_id, reason, created_at, decision, decided_at
         FROM access_requests WHERE requester_id = $1`,
      ),
    },
    erasure: { does: 'delete', run: eraseRows(AccessRequest, 'requesterId') },
  },
  recordedOnly('access_requests', ['decided_by'], "who decided another person's request"),
];
