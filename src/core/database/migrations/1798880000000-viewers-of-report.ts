import type { MigrationInterface, QueryRunner } from 'typeorm';

const replace = (from: string, to: string): string => `DROP INDEX ${from}; CREATE INDEX ${to}`;
const before = 'usage_views_report_id_idx';
const after = 'usage_views_report_id_started_at_idx';

/**
 * Counts the views of each viewer of a report without reading the rows. No column of the index changes after the insert, so that
 * updates of a view change no index.
 */
export class ViewersOfReport1798880000000 implements MigrationInterface {
  readonly name = 'ViewersOfReport1798880000000';

  /** Dropped first: a lock that is refused is refused before the index is built. */
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(replace(before, `${after} ON usage_views (report_id, started_at, person, by_admin)`));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(replace(after, `${before} ON usage_views (report_id, started_at)`));
  }
}
