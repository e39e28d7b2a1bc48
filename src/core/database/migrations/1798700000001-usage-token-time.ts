import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The visible time of all views of a token, which is limited. */
export class UsageTokenTime1798700000001 implements MigrationInterface {
  readonly name = 'UsageTokenTime1798700000001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE usage_tokens ADD COLUMN visible_ms integer NOT NULL DEFAULT 0');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE usage_tokens DROP COLUMN visible_ms');
  }
}
