import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * With the default of 100 values, one name in the sample that contains a rare term makes PostgreSQL expect 1 % of all
 * reports, and read them in the order of their names instead of using the trigram index.
 */
export class NameStatistics1798400000000 implements MigrationInterface {
  readonly name = 'NameStatistics1798400000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE reports ALTER COLUMN name_key SET STATISTICS 1000');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE reports ALTER COLUMN name_key SET STATISTICS -1');
  }
}
