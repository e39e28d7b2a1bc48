import type { Client as Connection } from 'pg';
import type { Group } from '../../src/access/groups/group.entity.js';
import type { Report } from '../../src/reports/report.entity.js';
import type { Workspace } from '../../src/workspaces/workspace.entity.js';
import type { Factory } from '../support/factory.js';
import { operations } from '../support/openapi-operations.js';
import { startService } from '../support/service.js';
import { explainingConnection, Statements } from '../support/statements.js';

/** `$1` to `$3` are the ids of the group, the workspace and the report. */
const fill = (rows: string): string[] => [
  `INSERT INTO users (id, email, name, role, status, created_at)
   SELECT gen_random_uuid(), n || '@many.example', 'Person ' || n, 'member', 'active', now() FROM ${rows}`,
  `INSERT INTO group_edges (group_id, user_id, source, created_at)
   SELECT $1, id, 'manual', now() FROM users WHERE email LIKE '%@many.example'`,
  `INSERT INTO grants (user_id, workspace_id, source, role, created_at)
   SELECT id, $2, 'manual', 'viewer', now() FROM users WHERE email LIKE '%@many.example'`,
  `INSERT INTO grants (user_id, report_id, source, role, created_at)
   SELECT id, $3, 'manual', 'viewer', now() FROM users WHERE email LIKE '%@many.example'`,
  `INSERT INTO reports (id, workspace_id, pbi_report_id, name, report_type, embed_url, data_as_of, updated_at)
   SELECT gen_random_uuid(), $2, gen_random_uuid(), 'Report ' || n, 'PowerBIReport', 'https://127.0.0.1/', now(), now()
   FROM ${rows}`,
  `INSERT INTO groups (id, name, source, created_at)
   SELECT gen_random_uuid(), 'Team ' || n, 'manual', now() FROM ${rows} WHERE n % 10 = 0`,
  `INSERT INTO audit_events (id, at, action, outcome, target_type, target_id, ip)
   SELECT gen_random_uuid(), now() - n * interval '1 second', 'signed_in',
     CASE WHEN n % 1000 = 0 THEN 'denied' ELSE 'allowed' END, 'user', gen_random_uuid(), '198.51.100.' || n % 200 FROM ${rows}`,
  `INSERT INTO embed_revocations (id, user_id, report_id, workspace_id, revoked_by, revoked_at)
   SELECT gen_random_uuid(), CASE n % 3 WHEN 0 THEN gen_random_uuid() END, CASE n % 3 WHEN 1 THEN gen_random_uuid() END,
     CASE n % 3 WHEN 2 THEN gen_random_uuid() END, gen_random_uuid(), now() FROM ${rows}`,
  `INSERT INTO usage_tokens (grant_id, minute_at, events, hour_at, views)
   SELECT gen_random_uuid(), now(), 1, now(), 1 FROM ${rows}`,
  `INSERT INTO sessions (id, user_id, method, salt, counter, ip, user_agent, created_at, rotated_at, last_used_at, expires_at)
   SELECT gen_random_uuid(), id, 'password', '\\x00', 0, '192.0.2.1', '', now(), now(), now(), now() + interval '7 days'
   FROM users WHERE email LIKE '%@many.example'`,
];

/** A service without limits of requests, its statements, and a connection that explains them. */
export async function startLists() {
  const statements = new Statements();
  const service = await startService({ RATE_LIMIT_API_PER_MINUTE: '0' });
  const admin = await service.asAdmin();
  const explaining = await explainingConnection(service);
  const close = async (): Promise<void> => {
    statements.close();
    await explaining.end();
    await service.close();
  };
  return { statements, service, admin, explaining, close };
}

/** What the many rows belong to. */
export interface ManyRows {
  /** Contains the group of all people. */
  outer: Group;
  workspace: Workspace;
  report: Report;
  /** The id of one of the people. */
  person: string;
}

/** Adds this number of people, each in one group and with grants on one workspace and report, and as many rows of other lists. */
export async function fillLists(factory: Factory, connection: Connection, count: number): Promise<ManyRows> {
  const group = await factory.group({ name: 'Everyone' });
  const outer = await factory.group({ name: 'Outer' }, [group]);
  const workspace = await factory.workspace();
  const report = await factory.report(workspace);
  const values = [group.id, workspace.id, report.id];
  for (const text of fill(`generate_series(1, ${count}) n`)) {
    const used = values.filter((_, index) => text.includes(`$${index + 1}`));
    await connection.query(used.length === 0 ? text : text.replace(/\$[1-3]/, '$1'), used);
  }
  const found = await connection.query<{ id: string }>(`SELECT id FROM users WHERE email = '1@many.example'`);
  return { outer, workspace, report, person: found.rows[0]?.id ?? '' };
}

const isPaged = ({ method, parameters = [] }: (typeof operations)[number]): boolean =>
  method === 'GET' && parameters.some(({ name }) => name === 'limit');

/** The paths of all lists. A webhook, whose deliveries end after some days, does not exist in these tests. */
export const lists = operations
  .filter(isPaged)
  .map(({ path }) => path)
  .filter((path) => !path.includes('webhooks/{id}'));

function idIn(path: string, { outer, workspace, report, person }: ManyRows): string {
  if (path.includes('/groups/{id}')) return outer.id;
  if (path.includes('/workspaces/{id}')) return workspace.id;
  return path.includes('/reports/{id}') ? report.id : person;
}

/** The addresses of the list's first page: as it is, of the members through groups, and of a search. */
export function addressesOf(path: string, many: ManyRows): string[] {
  const queries = path === '/api/search' ? ['?q=4912', '?q=person'] : ['', '?effective=true', '?q=4912'];
  const parameters = operations.find((each) => each.path === path && isPaged(each))?.parameters ?? [];
  const isKnown = (query: string) =>
    query === '' || parameters.some(({ name }) => query.startsWith(`?${name}=`));
  return queries.filter(isKnown).map((query) => `${path.replace('{id}', idIn(path, many))}${query}`);
}
