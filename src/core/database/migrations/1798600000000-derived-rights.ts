import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Whether a grant was given by a manager whose own right came through a group or a rule, which may have ended since. */
export class DerivedRights1798600000000 implements MigrationInterface {
  readonly name = 'DerivedRights1798600000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const table of ['workspace_grants', 'report_grants'])
      await runner.query(`ALTER TABLE ${table} ADD COLUMN by_derived_right boolean NOT NULL DEFAULT false`);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['workspace_grants', 'report_grants'])
      await runner.query(`ALTER TABLE ${table} DROP COLUMN by_derived_right`);
  }
}
