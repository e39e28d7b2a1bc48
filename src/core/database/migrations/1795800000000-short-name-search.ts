import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * One or two letters of a report's name are found in an index, too. Its words are the name's pairs of letters (`abc` is
 * ` ab c bc `), so that the trigrams of a word are those of a pair, and each letter begins one. Without `pg_trgm` there is
 * none, as of the longer ones.
 */
export class ShortNameSearch1795800000000 implements MigrationInterface {
  readonly name = 'ShortNameSearch1795800000000';

  async up(runner: QueryRunner): Promise<void> {
    const installed = (await runner.query(`SELECT FROM pg_extension WHERE extname = 'pg_trgm'`)) as unknown[];
    if (installed.length === 0) return;
    await runner.query(
      String.raw`CREATE FUNCTION name_pairs(name_key text) RETURNS text IMMUTABLE STRICT PARALLEL SAFE LANGUAGE sql
         RETURN ' ' || regexp_replace(name_key, '(..)', '\1 ', 'g')
             || ' ' || regexp_replace(substr(name_key, 2), '(..)', '\1 ', 'g')`,
    );
    await runner.query(
      `CREATE INDEX reports_name_pairs_trgm_idx ON reports USING gin (name_pairs(name_key) gin_trgm_ops)
       WHERE retired_at IS NULL`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX IF EXISTS reports_name_pairs_trgm_idx');
    await runner.query('DROP FUNCTION IF EXISTS name_pairs(text)');
  }
}
