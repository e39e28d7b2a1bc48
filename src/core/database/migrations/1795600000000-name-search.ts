import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A part of a report's name is found by its trigrams, however many reports there are. PostgreSQL's own extension, which
 * the owner of a database may create; where it is not installed, searches read more.
 */
export class NameSearch1795600000000 implements MigrationInterface {
  readonly name = 'NameSearch1795600000000';

  async up(runner: QueryRunner): Promise<void> {
    const available = (await runner.query(
      `SELECT FROM pg_available_extensions WHERE name = 'pg_trgm'`,
    )) as unknown[];
    if (available.length === 0) return;
    await runner.query('CREATE EXTENSION IF NOT EXISTS pg_trgm');
    await runner.query(
      'CREATE INDEX reports_name_key_trgm_idx ON reports USING gin (name_key gin_trgm_ops) WHERE retired_at IS NULL',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX IF EXISTS reports_name_key_trgm_idx');
  }
}
