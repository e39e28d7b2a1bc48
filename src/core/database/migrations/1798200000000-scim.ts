import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * `scim_deleted_at` hides a person from SCIM until erasure or reactivation. A user name is unique ignoring case; a person
 * without one has the email address as user name.
 */
export class Scim1798200000000 implements MigrationInterface {
  readonly name = 'Scim1798200000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE users
        ADD COLUMN scopes text[] NOT NULL DEFAULT '{}',
        ADD COLUMN source text NOT NULL DEFAULT 'manual'
          CONSTRAINT users_source_check CHECK (source IN ('manual', 'scim')),
        ADD COLUMN user_name text,
        ADD COLUMN external_id text,
        ADD COLUMN given_name text,
        ADD COLUMN family_name text,
        ADD COLUMN updated_at timestamptz,
        ADD COLUMN scim_deleted_at timestamptz;
      CREATE UNIQUE INDEX users_user_name_key ON users (lower(user_name)) WHERE user_name IS NOT NULL;
      CREATE INDEX users_external_id_idx ON users (external_id) WHERE external_id IS NOT NULL;
      CREATE INDEX users_scim_deleted_at_idx ON users (scim_deleted_at) WHERE scim_deleted_at IS NOT NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE users DROP COLUMN scopes, DROP COLUMN source, DROP COLUMN user_name, DROP COLUMN external_id,
        DROP COLUMN given_name, DROP COLUMN family_name, DROP COLUMN updated_at, DROP COLUMN scim_deleted_at`);
  }
}
