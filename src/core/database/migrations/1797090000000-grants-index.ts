import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Replaces the primary key of `memberships`, which the next migration drops. It is built here, where release 0.1 can read the
 * table meanwhile. A list of workspaces is read from this index alone.
 */
export class GrantsIndex1797090000000 implements MigrationInterface {
  readonly name = 'GrantsIndex1797090000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE UNIQUE INDEX memberships_user_id_key ON memberships (user_id, workspace_id, source)
       INCLUDE (role, expires_at)`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX memberships_user_id_key');
  }
}
