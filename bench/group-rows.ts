import type { Client } from 'pg';
import { fillCatalogue, laterId } from './catalogue-rows.js';

/** An organization with groups; all sizes follow from the number of people. */
export interface GroupSizes {
  people: number;
  workspaces: number;
  reports: number;
  /** Groups of each of the `flat` kinds. */
  flatGroups: number;
  workspaceGrants: { people: number; groups: number };
  reportGrants: { people: number; groups: number };
}

export const GROUPS_EACH = 20;
const REPORTS_EACH = 100;
/** A person's other groups: one of half the people or of 2 %, and a team in a department in a division. */
const FLAT_KINDS = GROUPS_EACH - 4;

export const groupSizes = (people: number): GroupSizes => ({
  people,
  workspaces: people / 10,
  reports: people * 10,
  flatGroups: Math.round(people / 180),
  workspaceGrants: { people, groups: people / 10 },
  reportGrants: { people: people * 9.8, groups: people * 0.2 },
});

/** None has half of the people, also in a trial run. */
const divisionsOf = (people: number): number => Math.max(5, people / 10_000);

/** A number from 0 to 1 that looks random and is the same in each run. */
const fraction = (value: string, seed: number | string): string =>
  `((hashint8extended(${value}, ${seed}) & 9007199254740991) / 9007199254740992.0)::float8`;

/** Number `n`, kind and rank of every group, large ones first, and which group of each kind contains a person. */
const groupTables = ({ people, flatGroups }: GroupSizes): string => `
  CREATE TEMP TABLE person AS SELECT n, ${laterId('n')} AS id FROM generate_series(1, ${people}::int) n;
  CREATE TEMP TABLE kind (kind int, count int);
  INSERT INTO kind VALUES (1, 26), (2, ${people / 100}), (3, ${people / 1000}), (4, ${divisionsOf(people)});
  INSERT INTO kind SELECT kind, ${flatGroups} FROM generate_series(5, ${FLAT_KINDS + 4}) kind;
  CREATE TEMP TABLE membership AS
    SELECT person.n, person.id, kind, CASE kind
      WHEN 1 THEN CASE WHEN person.n <= ${people / 2} THEN 0 ELSE 1 + person.n % 25 END
      WHEN 2 THEN person.n % ${people / 100} WHEN 3 THEN person.n % ${people / 1000} WHEN 4 THEN person.n % ${divisionsOf(people)}
      ELSE floor(count * ${fraction('person.n', 'kind')} ^ 2)::int END AS rank
    FROM person, kind;
  CREATE TEMP TABLE team AS
    SELECT kind, rank, row_number() OVER (ORDER BY count(*) DESC, kind, rank) AS n, gen_random_uuid() AS id
    FROM membership GROUP BY kind, rank;
  ANALYZE person, membership, team`;

const people = `
  INSERT INTO users (id, email, name, role, status, created_at)
  SELECT id, 'person' || n || '@vitrine.example', 'Person ' || lpad((n::bigint * 7919 % 1000003)::text, 7, '0'), 'member',
    CASE WHEN n % 50 = 7 THEN 'disabled' ELSE 'active' END, now() FROM person`;

const groups = `
  INSERT INTO groups (id, name, source, created_at)
  SELECT id, 'Group ' || lpad((n * 7919 % 1000003)::text, 7, '0'), 'manual', now() FROM team`;

/** People are direct members of all their groups except the department and the division, which contain groups only. */
const edges = `
  INSERT INTO group_edges (group_id, user_id, source, created_at)
  SELECT team.id, membership.id, 'manual', now() FROM membership JOIN team USING (kind, rank) WHERE kind NOT IN (3, 4);
  INSERT INTO group_edges (group_id, member_group_id, source, created_at)
  SELECT outside.id, inside.id, 'manual', now() FROM team inside
  JOIN team outside ON outside.kind = inside.kind + 1
    AND outside.rank = inside.rank % (SELECT count FROM kind WHERE kind = outside.kind)
  WHERE inside.kind IN (2, 3)`;

const closure = `
  INSERT INTO group_closure (inner_id, outer_id)
  WITH RECURSIVE walk (inner_id, outer_id) AS (
    SELECT id, id FROM groups
    UNION SELECT walk.inner_id, edge.group_id FROM walk JOIN group_edges edge ON edge.member_group_id = walk.outer_id
  ) SELECT inner_id, outer_id FROM walk`;

/**
 * `holder`: temporary table of the holders. A few of them have many of the grants, and most have few. `target`: the numbered
 * workspaces or reports, of which no holder gets one twice.
 */
const grants = (count: number, holder: 'person' | 'team', targets: number): string => `
  SELECT holder.id AS holder, k, i, (holder.n::bigint * 104729 + k * 7907) % ${targets} AS target,
    CASE WHEN i % 50 = 7 THEN now() - interval '1 day' WHEN i % 10 = 0 THEN now() + interval '90 days' END AS expires_at
  FROM (
    SELECT i, n, row_number() OVER (PARTITION BY n ORDER BY i) AS k FROM (
      SELECT i, ${holder === 'team' ? '1 + last - ' : ''}ceil(last * ${fraction('i', targets)} ^ 3)::int AS n
      FROM generate_series(1, ${count}::int) i, (SELECT max(n) AS last FROM ${holder}) AS size) AS chosen
  ) AS given JOIN ${holder} AS holder USING (n)`;

const column = { person: 'user_id', team: 'group_id' } as const;

const workspaceGrants = (count: number, holder: 'person' | 'team', { workspaces }: GroupSizes): string => `
  INSERT INTO grants (${column[holder]}, workspace_id, source, role, expires_at, granted_by, created_at)
  SELECT holder, space.id, 'manual', CASE WHEN i % 10 < 2 THEN 'manager' WHEN i % 3 = 0 THEN 'editor' ELSE 'viewer' END,
    expires_at, (SELECT id FROM users WHERE role = 'admin'), now()
  FROM (${grants(count, holder, workspaces)}) AS given
  JOIN (SELECT id, row_number() OVER (ORDER BY id) - 1 AS target FROM workspaces) AS space USING (target)`;

/** Fills the copied columns as the trigger does, which would take minutes. */
const reportGrants = (count: number, holder: 'person' | 'team', { reports }: GroupSizes): string => `
  INSERT INTO grants (${column[holder]}, report_id, workspace_id, name_key, is_retired, source, role, expires_at,
    granted_by, created_at)
  SELECT holder, report.id, workspace_id, name_key, false, 'manual', CASE WHEN i % 4 = 0 THEN 'editor' ELSE 'viewer' END,
    expires_at, (SELECT id FROM users WHERE role = 'admin'), now()
  FROM (${grants(count, holder, reports)}) AS given
  JOIN (SELECT id, workspace_id, name_key, row_number() OVER (ORDER BY id) - 1 AS target FROM reports) AS report
  USING (target)`;

/** Everyone in the largest group sees one workspace. */
const grantOfLargestGroup = `
  INSERT INTO grants (group_id, workspace_id, source, role, created_at)
  SELECT id, (SELECT id FROM workspaces ORDER BY id LIMIT 1), 'manual', 'viewer', now() FROM team WHERE n = 1
  ON CONFLICT DO NOTHING`;

/** Half of the people's own grants on reports were used. */
const tokens = `
  INSERT INTO issued_tokens (id, token_id, user_id, report_id, workspace_id, access, issued_at, expires_at, last_issued_at)
  SELECT gen_random_uuid(), gen_random_uuid(), user_id, report_id, workspace_id, 'view', now(), now() + interval '1 hour', now()
  FROM grants WHERE user_id IS NOT NULL AND report_id IS NOT NULL AND hashtext(report_id::text) % 2 = 0`;

/** Each query counts rows that the service would not have written. */
const differences = [
  `SELECT count(*) FROM grants g JOIN reports r ON r.id = report_id
   WHERE (g.workspace_id, g.name_key, g.is_retired) IS DISTINCT FROM (r.workspace_id, r.name_key, r.retired_at IS NOT NULL)`,
  `WITH RECURSIVE sample AS (SELECT id FROM person WHERE n % 100 = 1),
   walked (user_id, group_id) AS (
     SELECT user_id, group_id FROM group_edges WHERE user_id IN (SELECT id FROM sample)
     UNION SELECT walked.user_id, outside.group_id FROM walked JOIN group_edges outside ON member_group_id = walked.group_id)
   SELECT count(*) FROM walked
   FULL JOIN (SELECT DISTINCT * FROM group_members_all WHERE user_id IN (SELECT id FROM sample)) AS stored USING (user_id, group_id)
   WHERE walked.* IS NULL OR stored.* IS NULL`,
];

/** Fills an empty database. Constraints and triggers are off meanwhile. */
export async function fillGroups(database: Client, sizes: GroupSizes): Promise<void> {
  await fillCatalogue(database, { workspaces: sizes.workspaces, reportsEach: REPORTS_EACH });
  await database.query(
    `SET statement_timeout = 0; SET session_replication_role = replica; SET work_mem = '256MB'`,
  );
  const statements = [
    groupTables(sizes),
    people,
    groups,
    edges,
    closure,
    workspaceGrants(sizes.workspaceGrants.people, 'person', sizes),
    workspaceGrants(sizes.workspaceGrants.groups, 'team', sizes),
    reportGrants(sizes.reportGrants.people, 'person', sizes),
    reportGrants(sizes.reportGrants.groups, 'team', sizes),
    grantOfLargestGroup,
    tokens,
  ];
  for (const statement of statements) await database.query(statement);
  await database.query('VACUUM ANALYZE');
  for (const statement of differences) {
    const { rows } = await database.query<{ count: string }>(statement);
    if (rows[0]?.count !== '0') throw new Error(`${rows[0]?.count} wrong rows: ${statement}`);
  }
  await database.query('RESET session_replication_role; RESET work_mem');
}
