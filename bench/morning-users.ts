import type { TestBed } from './test-bed.js';
import { fillCatalogue } from './catalogue-rows.js';
import { requestAs, createUsers, type BenchUser } from './bench-users.js';
import { copyToPowerBi } from './power-bi-rows.js';
import type { RequestSpec } from './wrk.js';

const WORKSPACES = 300;
const REPORTS_EACH = 100;
const MEMBER_OF = 30;

export interface MorningUser extends BenchUser {
  /** The report that the user opens. */
  reportId: string;
}

/** One request of a user. */
export type Operation = (user: MorningUser) => RequestSpec;

export const listWorkspaces: Operation = (user) => requestAs(user, '/api/workspaces?limit=25');
export const listReports: Operation = (user) => requestAs(user, '/api/reports?limit=25');
export const getReport: Operation = (user) => requestAs(user, `/api/reports/${user.reportId}`);
export const getEmbedToken: Operation = (user) =>
  requestAs(user, `/api/reports/${user.reportId}/embed-token`, 'POST');

/**
 * Fills the catalogue and creates signed-in users. User n is a member of the workspaces n to n + 29, modulo 300, and
 * opens the first report of the first of them, so that 300 consecutive users open every report that is opened at all.
 */
export async function prepareUsers(testBed: TestBed, count: number): Promise<MorningUser[]> {
  const { database } = testBed;
  await fillCatalogue(database, { workspaces: WORKSPACES, reportsEach: REPORTS_EACH });
  const { rows: workspaces } = await database.query<{ id: string; report_id: string }>(
    `SELECT DISTINCT ON (workspace_id) workspace_id AS id, id AS report_id FROM reports ORDER BY workspace_id, id`,
  );
  const workspaceIds = workspaces.map(({ id }) => id);
  await copyToPowerBi(testBed, workspaceIds);
  const users = await createUsers(testBed, count);
  await database.query(
    `INSERT INTO grants (user_id, workspace_id, source, role, created_at)
     SELECT person.id, ($2::uuid[])[((person.n - 1 + step) % ${WORKSPACES} + 1)::int], 'manual', 'viewer', now()
     FROM unnest($1::uuid[]) WITH ORDINALITY AS person (id, n), generate_series(0, ${MEMBER_OF - 1}) AS step`,
    [users.map(({ id }) => id), workspaceIds],
  );
  await database.query('VACUUM ANALYZE grants');
  return users.map((user, index) => ({
    ...user,
    reportId: workspaces[index % WORKSPACES]?.report_id ?? '',
  }));
}
