import type { MigrationInterface, QueryRunner } from 'typeorm';

const figures = `views, issued_views, page_views, failures, visible_ms / 1000 AS seconds, viewers`;

/** Without people: their numbers and names are not part of any view. */
const views = `
CREATE SCHEMA reporting;
CREATE VIEW reporting.report_days AS
  SELECT day, report_id, workspace_id, by_admin, ${figures} FROM usage_report_day;
CREATE VIEW reporting.workspace_days AS
  SELECT day, workspace_id, by_admin, ${figures} FROM usage_workspace_day
  WHERE workspace_id <> '00000000-0000-0000-0000-000000000000';
CREATE VIEW reporting.report_months AS
  SELECT month, report_id, workspace_id, by_admin, views, viewers FROM usage_report_month;
CREATE VIEW reporting.active_people AS
  SELECT period, start, by_admin, viewers FROM usage_active_people;
CREATE VIEW reporting.reports AS
  SELECT r.id AS report_id, r.name AS report_name, r.workspace_id, w.name AS workspace_name, l.last_viewed_at, r.retired_at
  FROM reports r JOIN workspaces w ON w.id = r.workspace_id LEFT JOIN usage_last_views l ON l.report_id = r.id;
`;

/** Roles belong to the server, so it may exist; without CREATEROLE deploy/sql/reporting.sql creates it. */
const role = `
DO $$
BEGIN
  CREATE ROLE vitrine_reporting NOLOGIN;
EXCEPTION WHEN insufficient_privilege OR duplicate_object OR unique_violation THEN NULL;
END $$;
DO $$
BEGIN
  GRANT USAGE ON SCHEMA reporting TO vitrine_reporting;
  GRANT SELECT ON ALL TABLES IN SCHEMA reporting TO vitrine_reporting;
EXCEPTION WHEN undefined_object THEN NULL;
END $$;
`;

export class UsageReporting1797500000001 implements MigrationInterface {
  readonly name = 'UsageReporting1797500000001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(views + role);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP SCHEMA reporting CASCADE');
  }
}
