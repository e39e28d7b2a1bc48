import type { MigrationInterface, QueryRunner } from 'typeorm';

const columns = `
ALTER TABLE usage_report_day ADD COLUMN people_from integer, ADD COLUMN people_bits bit varying;
ALTER TABLE usage_workspace_day ADD COLUMN people_from integer, ADD COLUMN people_bits bit varying;
`;

/** Lists of reports are read from the primary key alone, as those of days. */
const sums = `
CREATE TABLE usage_report_sums (
  period text NOT NULL CONSTRAINT usage_report_sums_period_check CHECK (period IN ('week', 'month')),
  start date NOT NULL,
  report_id uuid NOT NULL,
  by_admin boolean NOT NULL,
  workspace_id uuid NOT NULL,
  views integer NOT NULL,
  issued_views integer NOT NULL,
  page_views integer NOT NULL,
  failures integer NOT NULL,
  visible_ms bigint NOT NULL,
  CONSTRAINT usage_report_sums_pkey PRIMARY KEY (period, start, report_id, by_admin)
    INCLUDE (workspace_id, views, issued_views, page_views, failures, visible_ms)
);
`;

/**
 * The people of a report and day as a string of bits, the first of which is for the number `people_from`, so that many days are
 * united quickly; and the figures of reports by week and month. The next migration fills them: this one locks the tables and is short.
 */
export class UsagePeopleBits1797550000000 implements MigrationInterface {
  readonly name = 'UsagePeopleBits1797550000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(columns + sums);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE usage_report_sums;
      ALTER TABLE usage_workspace_day DROP COLUMN people_from, DROP COLUMN people_bits;
      ALTER TABLE usage_report_day DROP COLUMN people_from, DROP COLUMN people_bits`);
  }
}
