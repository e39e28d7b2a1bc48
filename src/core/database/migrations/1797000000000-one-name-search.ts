import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * One or two letters match the beginnings of words, which the trigram index of `name_key` finds, too: the index of letter
 * pairs is dropped. A replica of the version before notices within a minute and searches without it.
 */
export class OneNameSearch1797000000000 implements MigrationInterface {
  readonly name = 'OneNameSearch1797000000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX IF EXISTS reports_name_pairs_trgm_idx');
  }

  async down(runner: QueryRunner): Promise<void> {
    const functions = (await runner.query(
      `SELECT FROM pg_proc WHERE oid = to_regprocedure('name_pairs(text)')`,
    )) as unknown[];
    if (functions.length === 0) return;
    await runner.query(
      `CREATE INDEX IF NOT EXISTS reports_name_pairs_trgm_idx ON reports USING gin (name_pairs(name_key) gin_trgm_ops)
       WHERE retired_at IS NULL`,
    );
  }
}
