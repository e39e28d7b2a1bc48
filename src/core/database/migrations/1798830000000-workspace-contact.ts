import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Who answers questions about the reports of a workspace. */
export class WorkspaceContact1798830000000 implements MigrationInterface {
  readonly name = 'WorkspaceContact1798830000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE workspaces ADD COLUMN contact_url text');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE workspaces DROP COLUMN contact_url');
  }
}
