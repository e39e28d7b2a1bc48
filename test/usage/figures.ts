import { randomUUID } from 'node:crypto';
import type { Report } from '../../src/reports/report.entity.js';
import { UsageRollupService } from '../../src/usage/usage-rollup.service.js';
import type { Service } from '../support/service.js';

export interface Planted {
  report: Pick<Report, 'id' | 'workspaceId'>;
  person: string;
  at: string;
  byAdmin?: boolean;
  pages?: string[];
  errors?: string[];
  seconds?: number;
  render?: number | null;
}

/** Views as if they were ingested at any time. */
export async function plant(
  { database }: Pick<Service, 'database'>,
  views: readonly Planted[],
): Promise<void> {
  await database.query(
    `INSERT INTO usage_people (person) SELECT DISTINCT unnest($1::uuid[]) ON CONFLICT DO NOTHING`,
    [views.map(({ person }) => person)],
  );
  const rows = views.map(
    ({ report, person, at, byAdmin, pages = ['a'], errors = [], seconds = 10, render = 900 }) => ({
      id: randomUUID(),
      at,
      report_id: report.id,
      workspace_id: report.workspaceId,
      person,
      by_admin: byAdmin ?? false,
      pages,
      errors,
      visible_ms: seconds * 1000,
      render_ms: render,
    }),
  );
  await database.query(
    `WITH given AS (SELECT * FROM jsonb_to_recordset($1::jsonb) AS x (id uuid, at timestamptz, report_id uuid,
       workspace_id uuid, person uuid, by_admin boolean, pages text[], errors text[], visible_ms int, render_ms int)),
     noted AS (INSERT INTO usage_changes (at, report_id, noted_at) SELECT at, report_id, at FROM given)
     INSERT INTO usage_views (id, started_at, report_id, workspace_id, person, by_admin, page_views, failures, visible_ms,
       load_ms, render_ms, seqs, pages, errors)
     SELECT id, at, report_id, workspace_id, p.number, by_admin, cardinality(pages), cardinality(errors), visible_ms,
       render_ms / 2, render_ms, '{0}', pages, errors FROM given JOIN usage_people p USING (person)`,
    [JSON.stringify(rows)],
  );
}

export const rollUp = ({ app }: Pick<Service, 'app'>): Promise<void> => app.get(UsageRollupService).run();

/** Rows in which the figures differ from the views; none if every view is counted once. */
export async function differences({ database }: Pick<Service, 'database'>, zone = 'UTC'): Promise<object[]> {
  return database.query(
    `WITH day_of AS (SELECT *, (started_at AT TIME ZONE $1)::date AS day FROM usage_views),
     raw_report AS (
       SELECT day::text AS start, report_id AS id, by_admin, count(*) AS views, sum(page_views) AS pages, sum(failures) AS failures,
         sum(visible_ms) AS ms, count(DISTINCT person) AS viewers, count(render_ms) AS rendered
       FROM day_of GROUP BY day, report_id, by_admin),
     raw_workspace AS (
       SELECT day::text AS start, workspace_id AS id, by_admin, count(*) AS views, sum(page_views) AS pages,
         sum(failures) AS failures, sum(visible_ms) AS ms, count(DISTINCT person) AS viewers, count(render_ms) AS rendered
       FROM day_of GROUP BY day, workspace_id, by_admin),
     sums AS (
       SELECT 'report' AS of, day::text AS start, report_id AS id, by_admin, views, page_views AS pages, failures,
         visible_ms AS ms, viewers, coalesce((SELECT sum(n) FROM unnest(render) n), 0) AS rendered
       FROM usage_report_day WHERE views > 0
       UNION ALL
       SELECT 'workspace', day::text, workspace_id, by_admin, views, page_views, failures, visible_ms, viewers,
         coalesce((SELECT sum(n) FROM unnest(render) n), 0)
       FROM usage_workspace_day WHERE views > 0 AND workspace_id <> '00000000-0000-0000-0000-000000000000'
       UNION ALL
       SELECT 'organization', day::text, NULL, by_admin, views, page_views, failures, visible_ms, 0,
         coalesce((SELECT sum(n) FROM unnest(render) n), 0)
       FROM usage_workspace_day WHERE views > 0 AND workspace_id = '00000000-0000-0000-0000-000000000000'
       UNION ALL
       SELECT 'month', month::text, report_id, by_admin, views, 0, 0, 0, viewers, 0 FROM usage_report_month WHERE views > 0
       UNION ALL
       SELECT period, start::text, NULL, false, 0, 0, 0, 0, sum(viewers)::int, 0 FROM usage_active_people GROUP BY 1, 2),
     raw AS (
       SELECT 'report' AS of, * FROM raw_report UNION ALL SELECT 'workspace', * FROM raw_workspace
       UNION ALL
       SELECT 'organization', day::text, NULL, by_admin, count(*), sum(page_views), sum(failures), sum(visible_ms), 0, count(render_ms)
       FROM day_of GROUP BY day, by_admin
       UNION ALL
       SELECT 'month', date_trunc('month', day)::date::text, report_id, by_admin, count(*), 0, 0, 0, count(DISTINCT person), 0
       FROM day_of GROUP BY 2, 3, 4
       UNION ALL
       SELECT period, date_trunc(period, day)::date::text, NULL, false, 0, 0, 0, 0, count(DISTINCT person), 0
       FROM day_of, unnest(ARRAY['day', 'week', 'month']) AS period GROUP BY 1, 2),
     totals AS (
       SELECT period, date_trunc(period, day)::date AS start, report_id, by_admin, sum(views) AS views, sum(issued_views) AS issued,
         sum(page_views) AS pages, sum(failures) AS failures, sum(visible_ms) AS ms,
         sum((SELECT sum(n) FROM unnest(render) AS n)) AS opened
       FROM usage_report_day, unnest(ARRAY['week', 'month']) AS period GROUP BY 1, 2, 3, 4)
     (SELECT 'only in figures' AS side, * FROM (SELECT * FROM sums WHERE views > 0 OR viewers > 0 EXCEPT SELECT * FROM raw) a)
     UNION ALL (SELECT 'only in views', * FROM (SELECT * FROM raw EXCEPT SELECT * FROM sums) b)
     UNION ALL (SELECT 'sum of days', period, start::text, report_id, by_admin, s.views, s.page_views, s.failures, s.visible_ms,
         0, 0
       FROM usage_report_sums s FULL JOIN totals t USING (period, start, report_id, by_admin)
       WHERE (s.views, s.issued_views, s.page_views, s.failures, s.visible_ms, (SELECT sum(n) FROM unnest(s.render) AS n))
         IS DISTINCT FROM (t.views, t.issued, t.pages, t.failures, t.ms, t.opened))
     UNION ALL (SELECT 'bits', 'report', day::text, report_id, by_admin, 0, 0, 0, 0, 0, 0 FROM usage_report_day
       WHERE people_bits IS NOT NULL AND (bit_count(people_bits) <> cardinality(people) OR people_from <> people[1] / 1024 * 1024
         OR EXISTS (SELECT FROM unnest(people) AS person WHERE get_bit(people_bits, person - people_from) = 0)))`,
    [zone],
  );
}
