import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * `dataset_refreshes` contains what is known about the refreshes of a dataset. Reports contain a copy, so that a list of
 * reports reads nothing else.
 */
export class ReportFreshness1797610000000 implements MigrationInterface {
  readonly name = 'ReportFreshness1797610000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE reports
        ADD COLUMN data_as_of timestamptz(3),
        ADD COLUMN refresh_status text CONSTRAINT reports_refresh_status_check
          CHECK (refresh_status IN ('succeeded', 'failed', 'running', 'live')),
        ADD COLUMN refresh_failed_since timestamptz(3);
      CREATE INDEX reports_pbi_dataset_id_idx ON reports (pbi_dataset_id) WHERE retired_at IS NULL;
      CREATE TABLE dataset_refreshes (
        pbi_dataset_id text CONSTRAINT dataset_refreshes_pkey PRIMARY KEY,
        status text CONSTRAINT dataset_refreshes_status_check
          CHECK (status IN ('succeeded', 'failed', 'running', 'live')),
        data_as_of timestamptz(3),
        failed_since timestamptz(3),
        checked_at timestamptz(3) NOT NULL,
        next_at timestamptz(3) NOT NULL
      ) WITH (fillfactor = 70);`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE dataset_refreshes;
      DROP INDEX reports_pbi_dataset_id_idx;
      ALTER TABLE reports DROP COLUMN data_as_of, DROP COLUMN refresh_status, DROP COLUMN refresh_failed_since`);
  }
}
