import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Display names of report pages by their ids. */
export class UsagePageNames1798700000002 implements MigrationInterface {
  readonly name = 'UsagePageNames1798700000002';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      'ALTER TABLE usage_views ADD COLUMN page_names jsonb; ALTER TABLE usage_report_day ADD COLUMN page_names jsonb',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      'ALTER TABLE usage_report_day DROP COLUMN page_names; ALTER TABLE usage_views DROP COLUMN page_names',
    );
  }
}
