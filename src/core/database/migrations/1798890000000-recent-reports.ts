import type { MigrationInterface, QueryRunner } from 'typeorm';

/** `issued_tokens` shows which reports each person opened last. */
export class RecentReports1798890000000 implements MigrationInterface {
  readonly name = 'RecentReports1798890000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE recent_reports');
  }

  /** The previous version fills the table as reports are opened. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
CREATE TABLE recent_reports (
  user_id uuid NOT NULL CONSTRAINT recent_reports_user_id_fkey REFERENCES users ON DELETE CASCADE,
  report_id uuid NOT NULL CONSTRAINT recent_reports_report_id_fkey REFERENCES reports ON DELETE CASCADE,
  opened_at timestamptz(3) NOT NULL,
  CONSTRAINT recent_reports_pkey PRIMARY KEY (user_id, report_id)
) WITH (fillfactor = 70);
CREATE INDEX recent_reports_report_id_idx ON recent_reports (report_id);`);
  }
}
