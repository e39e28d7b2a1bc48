import type { EntityManager } from 'typeorm';
import { execute, Parameters } from '../core/database/execute.js';
import { isSelected, type Selection } from './figures.queries.js';
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

/** People are named only while their user ids are stored. */
export async function viewersOfReport(
  manager: EntityManager,
  selection: Selection,
  { fromAt, toAt }: Period,
): Promise<ReportViewer[]> {
  const parameters = new Parameters();
  const { rows } = await execute<ReportViewer>(
    manager,
    `SELECT u.id, u.name, views, visible_ms, last_viewed_at FROM (
       SELECT person, count(*)::int AS views, sum(visible_ms)::float8 AS visible_ms, max(started_at) AS last_viewed_at
       FROM usage_views WHERE started_at >= ${parameters.add(fromAt)} AND started_at < ${parameters.add(toAt)}
         AND person IS NOT NULL AND ${isSelected(selection, parameters)} GROUP BY person) AS seen
     JOIN usage_people p ON p.number = seen.person AND p.month IS NULL JOIN users u ON u.id = p.person
     ORDER BY views DESC, u.id LIMIT ${MAX_PEOPLE}`,
    parameters.values,
    false,
  );
  return rows;
}

/** What the people with these numbers opened. */
export interface PeopleFigures {
  /** Null for the whole period. */
  start: string | Date | null;
  views: number;
  viewers: number;
  page_views: number;
  failures: number;
  visible_ms: number;
  last_viewed_at: Date | null;
}

interface PeopleQuery {
  numbers: readonly number[];
  selection: Selection;
  period: Period;
  zone: string;
}

export async function figuresOfPeople(
  manager: EntityManager,
  { numbers, selection, period, zone }: PeopleQuery,
): Promise<PeopleFigures[]> {
  const parameters = new Parameters();
  const start =
    period.bucket === 'hour'
      ? `date_trunc('hour', started_at, ${parameters.add(zone)})`
      : `date_trunc(${parameters.add(period.bucket)}, started_at AT TIME ZONE ${parameters.add(zone)})::date::text`;
  const { rows } = await execute<PeopleFigures>(
    manager,
    `SELECT start, count(*)::int AS views, count(DISTINCT person)::int AS viewers, coalesce(sum(page_views), 0)::int AS page_views,
       coalesce(sum(failures), 0)::int AS failures, coalesce(sum(visible_ms), 0)::float8 AS visible_ms,
       max(started_at) AS last_viewed_at
     FROM (SELECT *, ${start} AS start FROM usage_views
       WHERE person = ANY(${parameters.add(numbers)}::int[]) AND started_at >= ${parameters.add(period.fromAt)}
         AND started_at < ${parameters.add(period.toAt)} AND ${isSelected(selection, parameters)}) AS seen
     GROUP BY GROUPING SETS ((start), ())`,
    parameters.values,
    false,
  );
  return rows;
}

/** The reports that a person opened, the most frequent first. */
export interface PersonReport {
  id: string;
  name: string;
  workspace_id: string;
  views: number;
  visible_ms: number;
  last_viewed_at: Date;
}

export async function reportsOfPerson(
  manager: EntityManager,
  { numbers, selection, period }: PeopleQuery,
): Promise<PersonReport[]> {
  const parameters = new Parameters();
  const { rows } = await execute<PersonReport>(
    manager,
    `SELECT r.id, r.name, r.workspace_id, views, visible_ms, last_viewed_at FROM (
       SELECT report_id, count(*)::int AS views, sum(visible_ms)::float8 AS visible_ms, max(started_at) AS last_viewed_at
       FROM usage_views WHERE person = ANY(${parameters.add(numbers)}::int[])
         AND started_at >= ${parameters.add(period.fromAt)} AND started_at < ${parameters.add(period.toAt)}
         AND ${isSelected(selection, parameters)} GROUP BY report_id) AS seen
     JOIN reports r ON r.id = seen.report_id ORDER BY views DESC, r.id LIMIT ${MAX_PEOPLE}`,
    parameters.values,
    false,
  );
  return rows;
}
