import type { MigrationInterface, QueryRunner } from 'typeorm';

/** One row a person: a new link takes the place of the one before. */
const table = `
CREATE TABLE password_resets (
  user_id uuid CONSTRAINT password_resets_pkey PRIMARY KEY
    CONSTRAINT password_resets_user_id_fkey REFERENCES users ON DELETE CASCADE,
  request_id uuid NOT NULL,
  secret_salt bytea NOT NULL,
  secret_hash bytea NOT NULL CONSTRAINT password_resets_secret_hash_key UNIQUE,
  requested_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  used_at timestamptz(3)
);
`;

export class PasswordResets1795000300000 implements MigrationInterface {
  readonly name = 'PasswordResets1795000300000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(table);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE password_resets');
  }
}
