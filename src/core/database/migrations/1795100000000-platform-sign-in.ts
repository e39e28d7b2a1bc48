import type { MigrationInterface, QueryRunner } from 'typeorm';

const tables = `
CREATE TABLE user_identities (
  id uuid CONSTRAINT user_identities_pkey PRIMARY KEY,
  user_id uuid NOT NULL CONSTRAINT user_identities_user_id_fkey REFERENCES users ON DELETE CASCADE,
  iss text NOT NULL,
  sub text,
  tid text,
  oid text,
  email text,
  refresh_token bytea,
  provided_role text CONSTRAINT user_identities_provided_role_check CHECK (provided_role IN ('admin')),
  provided_attributes jsonb NOT NULL DEFAULT '{}',
  evaluated_at timestamptz(3),
  checking_at timestamptz(3),
  created_at timestamptz(3) NOT NULL,
  last_sign_in_at timestamptz(3),
  CONSTRAINT user_identities_sub_key UNIQUE (iss, sub),
  CONSTRAINT user_identities_oid_key UNIQUE (tid, oid),
  CONSTRAINT user_identities_subject_check CHECK (sub IS NOT NULL OR (tid IS NOT NULL AND oid IS NOT NULL))
);
CREATE INDEX user_identities_user_id_idx ON user_identities (user_id);

CREATE TABLE login_codes (
  hash bytea CONSTRAINT login_codes_pkey PRIMARY KEY,
  user_id uuid NOT NULL CONSTRAINT login_codes_user_id_fkey REFERENCES users ON DELETE CASCADE,
  code_challenge text NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  used_at timestamptz(3),
  session_id uuid CONSTRAINT login_codes_session_id_fkey REFERENCES sessions ON DELETE CASCADE
);
CREATE INDEX login_codes_expires_at_idx ON login_codes (expires_at);
CREATE INDEX login_codes_user_id_idx ON login_codes (user_id);
CREATE INDEX login_codes_session_id_idx ON login_codes (session_id);
`;

export class PlatformSignIn1795100000000 implements MigrationInterface {
  readonly name = 'PlatformSignIn1795100000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(tables);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE login_codes, user_identities');
  }
}
