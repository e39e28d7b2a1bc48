import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The identity under which an export started. Null before the start. */
export class ExportIdentity1798500000000 implements MigrationInterface {
  readonly name = 'ExportIdentity1798500000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE report_exports ADD COLUMN identity_hash bytea');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE report_exports DROP COLUMN identity_hash');
  }
}
