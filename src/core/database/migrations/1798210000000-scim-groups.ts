import type { MigrationInterface, QueryRunner } from 'typeorm';

/** When SCIM last changed the group or its direct members; null if never. */
export class ScimGroups1798210000000 implements MigrationInterface {
  readonly name = 'ScimGroups1798210000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE groups ADD COLUMN updated_at timestamptz(3)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE groups DROP COLUMN updated_at');
  }
}
