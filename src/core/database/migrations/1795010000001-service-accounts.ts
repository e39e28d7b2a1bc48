import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A service account is a user of its own kind: sessions, grants and the trail know no difference. */
const schema = `
ALTER TABLE users
  ADD kind text NOT NULL DEFAULT 'person' CONSTRAINT users_kind_check CHECK (kind IN ('person', 'service')),
  ADD created_by uuid CONSTRAINT users_created_by_fkey REFERENCES users,
  ADD removed_at timestamptz(3),
  ADD CONSTRAINT users_service_check CHECK (kind = 'person' OR password_hash IS NULL),
  ADD CONSTRAINT users_removed_check CHECK (removed_at IS NULL OR status = 'disabled');

CREATE TABLE service_account_secrets (
  id uuid CONSTRAINT service_account_secrets_pkey PRIMARY KEY,
  user_id uuid NOT NULL CONSTRAINT service_account_secrets_user_id_fkey REFERENCES users ON DELETE CASCADE,
  hash bytea NOT NULL CONSTRAINT service_account_secrets_hash_key UNIQUE,
  created_by uuid NOT NULL CONSTRAINT service_account_secrets_created_by_fkey REFERENCES users,
  created_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  last_used_at timestamptz(3)
);
CREATE INDEX service_account_secrets_user_id_idx ON service_account_secrets (user_id);
`;

export class ServiceAccounts1795010000001 implements MigrationInterface {
  readonly name = 'ServiceAccounts1795010000001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(schema);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE service_account_secrets;
      ALTER TABLE users DROP kind, DROP created_by, DROP removed_at;`);
  }
}
