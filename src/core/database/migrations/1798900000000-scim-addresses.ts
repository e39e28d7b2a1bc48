import type { MigrationInterface, QueryRunner } from 'typeorm';

/** An address that SCIM has sent no longer follows the user name. */
export class ScimAddresses1798900000000 implements MigrationInterface {
  readonly name = 'ScimAddresses1798900000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE users ADD COLUMN has_scim_email boolean NOT NULL DEFAULT false');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE users DROP COLUMN has_scim_email');
  }
}
