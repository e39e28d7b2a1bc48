import type { MigrationInterface, QueryRunner } from 'typeorm';

/** `recent_reports` is updated with each token: without an index on the time these updates touch no index. */
export class Favourites1797600000000 implements MigrationInterface {
  readonly name = 'Favourites1797600000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE favourites (
        user_id uuid NOT NULL CONSTRAINT favourites_user_id_fkey REFERENCES users ON DELETE CASCADE,
        report_id uuid NOT NULL CONSTRAINT favourites_report_id_fkey REFERENCES reports ON DELETE CASCADE,
        created_at timestamptz(3) NOT NULL,
        CONSTRAINT favourites_pkey PRIMARY KEY (user_id, report_id)
      );
      CREATE INDEX favourites_report_id_idx ON favourites (report_id);
      CREATE TABLE recent_reports (
        user_id uuid NOT NULL CONSTRAINT recent_reports_user_id_fkey REFERENCES users ON DELETE CASCADE,
        report_id uuid NOT NULL CONSTRAINT recent_reports_report_id_fkey REFERENCES reports ON DELETE CASCADE,
        opened_at timestamptz(3) NOT NULL,
        CONSTRAINT recent_reports_pkey PRIMARY KEY (user_id, report_id)
      ) WITH (fillfactor = 70);
      CREATE INDEX recent_reports_report_id_idx ON recent_reports (report_id);`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE recent_reports, favourites');
  }
}
