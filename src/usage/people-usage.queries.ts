// SQL, because it groups views, by several sets.
import type { EntityManager } from 'typeorm';
import { execute, Parameters, queryRows } from '../core/database/execute.js';
import { dayOf, hourOf } from '../core/database/local-days.js';
import { issuedToUsers } from '../embed/issued-tokens.queries.js';
import { admins } from '../users/users.queries.js';
import { isSelected, type Selection } from './figures.queries.js';
import type { PersonNumber } from './people.queries.js';
import type { Period } from './period.js';

const MAX_PEOPLE = 100;

/** Who opened a report, the most frequent first. */
export interface ReportViewer {
  id: string;
  name: string;
  views: number;
  visible_ms: number;
  last_viewed_at: Date;
}

/**
 * People are named only while their user ids are stored. An index counts the views of all people; the rows of those who are listed
 * are read for the visible time, which changes too often for an index.
 */
export function viewersOfReport(
  manager: EntityManager,
  selection: Selection,
  { fromAt, toAt }: Period,
): Promise<ReportViewer[]> {
  const parameters = new Parameters();
  const selected = `started_at >= ${parameters.add(fromAt)} AND started_at < ${parameters.add(toAt)}
    AND ${isSelected(selection, parameters)}`;
  return queryRows<ReportViewer>(
    manager,
    `WITH listed AS MATERIALIZED (
       SELECT number, u.id, u.name, views, last_viewed_at FROM (
         SELECT person AS number, count(*)::int AS views, max(started_at) AS last_viewed_at
         FROM usage_views WHERE person IS NOT NULL AND ${selected} GROUP BY person) AS seen
       JOIN usage_people p USING (number) JOIN users u ON u.id = p.person WHERE p.month IS NULL
       ORDER BY views DESC, u.id LIMIT ${MAX_PEOPLE}
     ), visible AS (
       SELECT person AS number, sum(visible_ms)::float8 AS visible_ms
       FROM usage_views WHERE person = ANY(ARRAY(SELECT number FROM listed)) AND ${selected} GROUP BY person
     )
     SELECT id, name, views, visible_ms, last_viewed_at FROM listed JOIN visible USING (number) ORDER BY views DESC, id`,
    parameters.values,
    false,
  );
}

/** What the people with these numbers opened. */
export interface PeopleFigures {
  /** Null for the whole period. */
  start: string | Date | null;
  views: number;
  viewers: number;
  /** People who viewed as admins, also where their views are excluded. */
  admins: number;
  page_views: number;
  failures: number;
  visible_ms: number;
  last_viewed_at: Date | null;
}

interface PeopleQuery {
  people: readonly PersonNumber[];
  selection: Selection;
  period: Period;
  zone: string;
}

export function figuresOfPeople(
  manager: EntityManager,
  { people, selection, period, zone }: PeopleQuery,
): Promise<PeopleFigures[]> {
  const parameters = new Parameters();
  const isHour = period.bucket === 'hour';
  const start = isHour
    ? hourOf('started_at', parameters.add(zone))
    : `date_trunc(${parameters.add(period.bucket)}, ${dayOf('started_at', parameters.add(zone))})::date`;
  const counted = selection.excludesAdmins ? 'WHERE NOT by_admin' : 'WHERE TRUE';
  const numbers = parameters.add(people.map(({ number }) => number));
  const owners = parameters.add(people.map(({ userId }) => userId));
  // Counting distinct owners sorts its rows: those are people and buckets, not views.
  return queryRows<PeopleFigures>(
    manager,
    `SELECT ${isHour ? 'start' : 'start::text'}, coalesce(sum(views) FILTER (${counted}), 0)::int AS views,
       count(DISTINCT owner) FILTER (${counted})::int AS viewers,
       count(DISTINCT owner) FILTER (WHERE by_admin)::int AS admins,
       coalesce(sum(page_views) FILTER (${counted}), 0)::int AS page_views,
       coalesce(sum(failures) FILTER (${counted}), 0)::int AS failures,
       coalesce(sum(visible_ms) FILTER (${counted}), 0)::float8 AS visible_ms,
       max(last_viewed_at) FILTER (${counted}) AS last_viewed_at
     FROM (SELECT start, owner, by_admin, count(*) AS views, sum(page_views) AS page_views, sum(failures) AS failures,
         sum(visible_ms) AS visible_ms, max(started_at) AS last_viewed_at
       FROM (SELECT *, ${start} AS start
         FROM usage_views JOIN unnest(${numbers}::int[], ${owners}::uuid[]) AS known (person, owner) USING (person)
         WHERE started_at >= ${parameters.add(period.fromAt)} AND started_at < ${parameters.add(period.toAt)}
           AND ${isSelected({ ...selection, excludesAdmins: false }, parameters)}) AS seen
       GROUP BY start, owner, by_admin) AS counted
     GROUP BY GROUPING SETS ((start), ())`,
    parameters.values,
    false,
  );
}

/** Embed tokens that the service issued to these users, or returned again. */
export interface IssuedFigures {
  issued_views: number;
  viewers: number;
  /** Admins among them, also where their tokens are excluded. */
  admins: number;
}

export async function issuedFigures(
  manager: EntityManager,
  users: readonly string[],
  { selection, period }: Pick<PeopleQuery, 'selection' | 'period'>,
): Promise<IssuedFigures | undefined> {
  const parameters = new Parameters();
  const counted = selection.excludesAdmins ? 'WHERE NOT by_admin' : 'WHERE TRUE';
  const { rows } = await execute<IssuedFigures>(
    manager,
    `SELECT coalesce(sum(times_issued) FILTER (${counted}), 0)::int AS issued_views,
       count(DISTINCT user_id) FILTER (${counted})::int AS viewers,
       count(DISTINCT user_id) FILTER (WHERE by_admin)::int AS admins
     FROM (${issuedIn(users, period, parameters)}) AS issued
     WHERE ${isSelected({ ...selection, excludesAdmins: false }, parameters)}`,
    parameters.values,
  );
  return rows[0];
}

/** SQL query: the tokens of these users. Admins are those of now. */
function issuedIn(users: readonly string[], { fromAt, toAt }: Period, parameters: Parameters): string {
  const ids = `${parameters.add(users)}::uuid[]`;
  const tokens = issuedToUsers(ids, parameters.add(fromAt), parameters.add(toAt));
  return `SELECT *, user_id IN (${admins}) AS by_admin FROM (${tokens}) AS token`;
}

/** The reports that a person opened, the most frequent first. */
export interface PersonReport {
  id: string;
  name: string;
  workspace_id: string;
  views: number;
  issued_views: number;
  visible_ms: number;
  /** Null if the browser reported no view. */
  last_viewed_at: Date | null;
}

export function reportsOfPerson(
  manager: EntityManager,
  user: string,
  { people, selection, period }: PeopleQuery,
): Promise<PersonReport[]> {
  const parameters = new Parameters();
  return queryRows<PersonReport>(
    manager,
    `SELECT r.id, r.name, r.workspace_id, coalesce(views, 0) AS views, coalesce(issued_views, 0) AS issued_views,
       coalesce(visible_ms, 0) AS visible_ms, last_viewed_at
     FROM (
       SELECT report_id, count(*)::int AS views, sum(visible_ms)::float8 AS visible_ms, max(started_at) AS last_viewed_at
       FROM usage_views WHERE person = ANY(${parameters.add(people.map(({ number }) => number))}::int[])
         AND started_at >= ${parameters.add(period.fromAt)} AND started_at < ${parameters.add(period.toAt)}
         AND ${isSelected(selection, parameters)} GROUP BY report_id) AS seen
     FULL JOIN (
       SELECT report_id, sum(times_issued)::int AS issued_views
       FROM (${issuedIn([user], period, parameters)}) AS issued
       WHERE ${isSelected(selection, parameters)} GROUP BY report_id) AS recorded USING (report_id)
     JOIN reports r ON r.id = report_id ORDER BY 4 DESC, 5 DESC, r.id LIMIT ${MAX_PEOPLE}`,
    parameters.values,
    false,
  );
}
