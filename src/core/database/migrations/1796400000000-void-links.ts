import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A link that was requested before this time is void, also one whose mail is still queued. */
export class VoidLinks1796400000000 implements MigrationInterface {
  readonly name = 'VoidLinks1796400000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE users ADD COLUMN links_void_before timestamptz(3)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE users DROP COLUMN links_void_before');
  }
}
