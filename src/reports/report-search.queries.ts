// SQL, because it ranks names, with one page from an index for each kind of match.
import type { EntityManager } from 'typeorm';
import { Parameters, queryRows } from '../core/database/execute.js';
import type { Principal } from '../core/http/principal.js';
import { NameRank, type Rank } from '../core/lists/name-rank.js';
import { effectiveGrants, heldWorkspaces } from '../access/grants/grants.queries.js';
import { type CallerSearch, scopeOf } from '../workspaces/workspaces.queries.js';
import type { Report } from './report.entity.js';

export type FoundReport = Pick<Report, 'id' | 'name' | 'workspaceId'> & { rank: Rank };

/**
 * SQL: among all reports, one page for each kind of match, each from an index: the last one alone would contain the
 * first names of a frequent term, not its best matches.
 */
function amongAll(name: NameRank, limit: string): string {
  const page = (where: string): string =>
    `(SELECT id, name_key FROM reports WHERE retired_at IS NULL AND ${where} ORDER BY name_key, id LIMIT ${limit})`;
  const kinds = [
    name.startsName('name_key', true),
    name.startsWord('name_key', true),
    name.matches('name_key', true),
  ];
  return kinds.map(page).join(' UNION ');
}

/** SQL: every matching report that the caller may see. */
function amongVisible(caller: Principal, now: Date, name: NameRank, parameters: Parameters): string {
  const scope = scopeOf(caller, now, parameters);
  const matching = (where: string): string =>
    `SELECT id, name_key FROM reports WHERE retired_at IS NULL AND ${where} AND ${name.matches('name_key')}`;
  return `${matching(`workspace_id = ANY(ARRAY(${heldWorkspaces(scope)}))`)}
    UNION ${matching(`id = ANY(ARRAY(SELECT report_id FROM ${effectiveGrants(scope)} WHERE report_id IS NOT NULL))`)}`;
}

/** The reports that the caller may see whose names match best. */
export function searchReports(
  manager: EntityManager,
  { caller, now, q, limit }: CallerSearch,
): Promise<FoundReport[]> {
  const parameters = new Parameters();
  const name = new NameRank(q, parameters);
  const count = parameters.add(limit);
  const found = caller.role === 'admin' ? amongAll(name, count) : amongVisible(caller, now, name, parameters);
  return queryRows<FoundReport>(
    manager,
    `SELECT id, name, workspace_id AS "workspaceId", rank FROM (
       SELECT id, name_key, ${name.rank('name_key')} AS rank FROM (${found}) AS found
       ORDER BY rank, name_key, id LIMIT ${count}) AS best
     JOIN reports USING (id, name_key) ORDER BY rank, name_key, id`,
    parameters.values,
    false,
  );
}
