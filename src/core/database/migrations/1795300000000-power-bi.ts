import type { MigrationInterface, QueryRunner } from 'typeorm';

/** People, reports and workspaces of grants and revocations are references only: these rows outlive them. */
const tables = `
ALTER TABLE sync_runs ADD COLUMN claim uuid, ADD COLUMN reached uuid;
ALTER TABLE workspaces ADD COLUMN pbi_profile_id uuid;

CREATE TABLE embed_grants (
  id uuid CONSTRAINT embed_grants_pkey PRIMARY KEY,
  token_id uuid NOT NULL,
  user_id uuid NOT NULL,
  report_id uuid NOT NULL,
  workspace_id uuid NOT NULL,
  access text NOT NULL CONSTRAINT embed_grants_access_check CHECK (access IN ('view', 'edit')),
  identity jsonb,
  issued_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  handed_out integer NOT NULL DEFAULT 1,
  last_handed_out_at timestamptz(3) NOT NULL,
  ip text,
  request_id text
);
CREATE INDEX embed_grants_issued_at_idx ON embed_grants (issued_at, id);
CREATE INDEX embed_grants_user_id_idx ON embed_grants (user_id, issued_at, id);
CREATE INDEX embed_grants_report_id_idx ON embed_grants (report_id, issued_at, id);
CREATE INDEX embed_grants_workspace_id_idx ON embed_grants (workspace_id, issued_at, id);
CREATE INDEX embed_grants_expires_at_idx ON embed_grants (expires_at);

CREATE TABLE embed_revocations (
  id uuid CONSTRAINT embed_revocations_pkey PRIMARY KEY,
  user_id uuid,
  report_id uuid,
  workspace_id uuid,
  reason text,
  revoked_by uuid NOT NULL,
  revoked_at timestamptz(3) NOT NULL,
  lifted_by uuid,
  lifted_at timestamptz(3),
  CONSTRAINT embed_revocations_subject_check CHECK (num_nonnulls(user_id, report_id, workspace_id) > 0)
);
CREATE INDEX embed_revocations_revoked_at_idx ON embed_revocations (revoked_at, id) WHERE lifted_at IS NULL;

CREATE TABLE power_bi_pauses (
  scope text CONSTRAINT power_bi_pauses_pkey PRIMARY KEY,
  until timestamptz(3) NOT NULL,
  status integer NOT NULL
);

CREATE TABLE power_bi_calls (
  id uuid CONSTRAINT power_bi_calls_pkey PRIMARY KEY,
  scope text NOT NULL,
  at timestamptz(3) NOT NULL
);
CREATE INDEX power_bi_calls_scope_at_idx ON power_bi_calls (scope, at);
`;

export class PowerBi1795300000000 implements MigrationInterface {
  readonly name = 'PowerBi1795300000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(tables);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE power_bi_calls, power_bi_pauses, embed_revocations, embed_grants;
      ALTER TABLE workspaces DROP COLUMN pbi_profile_id;
      ALTER TABLE sync_runs DROP COLUMN reached, DROP COLUMN claim`);
  }
}
