// SQL, because it chooses between two plans by the number of people.
import type { EntityManager } from 'typeorm';
import { Parameters, queryRows } from '../core/database/execute.js';
import { nameKeyOf } from '../core/lists/fold-name.js';
import { type Keyset, keysetSql } from '../core/lists/pagination.js';
import { matchesName } from '../core/lists/name-search.js';
import { byUser, groupGrantsOn, isAmong } from '../access/grants/grants.queries.js';
import type { WorkspaceRole } from '../access/grants/grant.js';
import type { Report } from './report.entity.js';

/** Someone who can see a report now. */
export interface ViewerRow {
  id: string;
  name: string;
  nameKey: string;
  /** Null for a service account. */
  email: string | null;
  role: WorkspaceRole | 'admin';
  /** The group with the strongest grant; null for an own grant, which takes precedence, and for admins. */
  group: string | null;
}

interface ViewersQuery {
  report: Pick<Report, 'id' | 'workspaceId'>;
  now: Date;
  q?: string;
  keyset: Keyset;
}

/** Up to this many people with a grant are sorted by name; above, all users are read by name and filtered. */
const MAX_SORTED = 5000;

const isAdmin = `role = 'admin'`;
const users = `(SELECT id, name, kind, email, role, ${nameKeyOf('name')} AS name_key
  FROM users WHERE status = 'active') AS person`;

/** One page of the active users who can see the report, each with the strongest role. */
export function listViewers(
  manager: EntityManager,
  { report, now, q, keyset }: ViewersQuery,
): Promise<ViewerRow[]> {
  const parameters = new Parameters();
  const granted = {
    report: parameters.add(report.id),
    workspace: parameters.add(report.workspaceId),
    now: parameters.add(now),
    byGroups: 'by_groups',
  };
  const { follows, order, limit } = keysetSql(keyset, parameters);
  const isFound = matchesName(q, 'name_key', parameters);
  const found = `SELECT user_id FROM (${byUser(granted)}) AS held UNION ALL SELECT id FROM users WHERE ${isAdmin}`;
  const page = (condition: string): string =>
    `(SELECT * FROM ${users} WHERE ${condition} AND ${follows} AND ${isFound} ORDER BY ${order} LIMIT ${limit})`;
  return queryRows<ViewerRow>(
    manager,
    `WITH by_groups AS MATERIALIZED (${groupGrantsOn(granted)}),
     size AS MATERIALIZED (
       SELECT count(*) <= ${MAX_SORTED} AS are_few
       FROM (SELECT FROM (${byUser(granted)}) AS held LIMIT ${MAX_SORTED + 1}) AS counted),
     page AS MATERIALIZED (
       ${page(`(SELECT are_few FROM size) AND id = ANY(ARRAY(${found}))`)}
       UNION ALL ${page(`NOT (SELECT are_few FROM size) AND (${isAdmin} OR ${isAmong('person.id', granted)})`)}),
     strongest AS (
       SELECT DISTINCT ON (user_id) user_id, role, group_id
       FROM (${byUser(granted, 'user_id = ANY(ARRAY(SELECT id FROM page))')}) AS held
       ORDER BY user_id, array_position(ARRAY['manager', 'editor', 'viewer'], role), group_id NULLS FIRST
     )
     SELECT id, name, name_key AS "nameKey", CASE WHEN kind = 'person' THEN email END AS email,
       CASE WHEN page.${isAdmin} THEN 'admin' ELSE strongest.role END AS role,
       CASE WHEN NOT page.${isAdmin} THEN group_id END AS "group"
     FROM page LEFT JOIN strongest ON user_id = id ORDER BY ${order}`,
    parameters.values,
    q === undefined,
  );
}
