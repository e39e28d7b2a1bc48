import type { MigrationInterface, QueryRunner } from 'typeorm';
import { recentReports } from './initial-schema/views-and-exports.js';

/** `issued_tokens` shows which reports each person opened last. */
export class RecentReports1798890000000 implements MigrationInterface {
  readonly name = 'RecentReports1798890000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE recent_reports');
  }

  /** The previous version fills the table as reports are opened. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query(recentReports);
  }
}
