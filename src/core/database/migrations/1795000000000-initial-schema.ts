import type { MigrationInterface, QueryRunner } from 'typeorm';

/** `name_key` orders lists without regard to case, by Unicode's rules whatever the locale, exactly as the index does. */
const tables = `
CREATE TABLE users (
  id uuid CONSTRAINT users_pkey PRIMARY KEY,
  email text NOT NULL CONSTRAINT users_email_key UNIQUE,
  name text NOT NULL,
  role text NOT NULL CONSTRAINT users_role_check CHECK (role IN ('admin', 'member')),
  status text NOT NULL CONSTRAINT users_status_check CHECK (status IN ('active', 'disabled')),
  password_hash text,
  attributes jsonb NOT NULL DEFAULT '{}',
  created_at timestamptz(3) NOT NULL,
  last_sign_in_at timestamptz(3)
);

CREATE TABLE sessions (
  id uuid CONSTRAINT sessions_pkey PRIMARY KEY,
  user_id uuid NOT NULL CONSTRAINT sessions_user_id_fkey REFERENCES users ON DELETE CASCADE,
  method text NOT NULL CONSTRAINT sessions_method_check
    CHECK (method IN ('password', 'oidc', 'invitation', 'exchange', 'client')),
  salt bytea NOT NULL,
  counter integer NOT NULL,
  ip text NOT NULL,
  user_agent text NOT NULL,
  created_at timestamptz(3) NOT NULL,
  rotated_at timestamptz(3) NOT NULL,
  last_used_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  ended_at timestamptz(3),
  end_reason text
);
CREATE INDEX sessions_user_id_idx ON sessions (user_id) WHERE ended_at IS NULL;

CREATE TABLE workspaces (
  id uuid CONSTRAINT workspaces_pkey PRIMARY KEY,
  pbi_workspace_id uuid NOT NULL CONSTRAINT workspaces_pbi_workspace_id_key UNIQUE,
  name text NOT NULL,
  name_key text NOT NULL GENERATED ALWAYS AS (lower(name COLLATE "und-x-icu")) STORED,
  report_count integer NOT NULL DEFAULT 0,
  missing_since timestamptz(3),
  retired_at timestamptz(3),
  updated_at timestamptz(3) NOT NULL
);
CREATE INDEX workspaces_name_key_idx ON workspaces (name_key, id) WHERE retired_at IS NULL;

CREATE TABLE memberships (
  user_id uuid NOT NULL CONSTRAINT memberships_user_id_fkey REFERENCES users ON DELETE CASCADE,
  workspace_id uuid NOT NULL CONSTRAINT memberships_workspace_id_fkey REFERENCES workspaces,
  source text NOT NULL CONSTRAINT memberships_source_check CHECK (source IN ('manual', 'provider')),
  role text NOT NULL CONSTRAINT memberships_role_check CHECK (role IN ('viewer', 'editor', 'manager')),
  expires_at timestamptz(3),
  created_at timestamptz(3) NOT NULL,
  CONSTRAINT memberships_pkey PRIMARY KEY (user_id, workspace_id, source)
);
CREATE INDEX memberships_workspace_id_idx ON memberships (workspace_id);

CREATE TABLE invitations (
  id uuid CONSTRAINT invitations_pkey PRIMARY KEY,
  email text NOT NULL,
  name text,
  role text NOT NULL CONSTRAINT invitations_role_check CHECK (role IN ('admin', 'member')),
  secret_salt bytea NOT NULL,
  secret_hash bytea NOT NULL CONSTRAINT invitations_secret_hash_key UNIQUE,
  invited_by uuid NOT NULL CONSTRAINT invitations_invited_by_fkey REFERENCES users,
  delivery text NOT NULL CONSTRAINT invitations_delivery_check
    CHECK (delivery IN ('queued', 'sent', 'failed', 'not_configured')),
  delivery_error text,
  mailed_at timestamptz(3) NOT NULL,
  created_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  accepted_at timestamptz(3),
  revoked_at timestamptz(3),
  user_id uuid CONSTRAINT invitations_user_id_fkey REFERENCES users
);
CREATE UNIQUE INDEX invitations_open_email_key ON invitations (email)
  WHERE accepted_at IS NULL AND revoked_at IS NULL;

CREATE TABLE invitation_grants (
  invitation_id uuid NOT NULL CONSTRAINT invitation_grants_invitation_id_fkey
    REFERENCES invitations ON DELETE CASCADE,
  workspace_id uuid NOT NULL CONSTRAINT invitation_grants_workspace_id_fkey REFERENCES workspaces,
  granted_by uuid NOT NULL CONSTRAINT invitation_grants_granted_by_fkey REFERENCES users,
  role text NOT NULL CONSTRAINT invitation_grants_role_check CHECK (role IN ('viewer', 'editor', 'manager')),
  expires_at timestamptz(3),
  CONSTRAINT invitation_grants_pkey PRIMARY KEY (invitation_id, workspace_id)
);

CREATE TABLE reports (
  id uuid CONSTRAINT reports_pkey PRIMARY KEY,
  workspace_id uuid NOT NULL CONSTRAINT reports_workspace_id_fkey REFERENCES workspaces,
  pbi_report_id uuid NOT NULL,
  pbi_dataset_id text,
  name text NOT NULL,
  name_key text NOT NULL GENERATED ALWAYS AS (lower(name COLLATE "und-x-icu")) STORED,
  description text,
  report_type text NOT NULL CONSTRAINT reports_report_type_check
    CHECK (report_type IN ('PowerBIReport', 'PaginatedReport')),
  web_url text,
  embed_url text NOT NULL,
  missing_since timestamptz(3),
  retired_at timestamptz(3),
  updated_at timestamptz(3) NOT NULL,
  CONSTRAINT reports_pbi_report_id_key UNIQUE (workspace_id, pbi_report_id)
);
CREATE INDEX reports_name_key_idx ON reports (name_key, id) WHERE retired_at IS NULL;
CREATE INDEX reports_workspace_id_name_key_idx ON reports (workspace_id, name_key, id) WHERE retired_at IS NULL;
CREATE INDEX reports_updated_at_idx ON reports (updated_at, id) WHERE retired_at IS NULL;

CREATE TABLE datasets (
  id uuid CONSTRAINT datasets_pkey PRIMARY KEY,
  workspace_id uuid NOT NULL CONSTRAINT datasets_workspace_id_fkey REFERENCES workspaces,
  pbi_dataset_id text NOT NULL,
  name text NOT NULL,
  name_key text NOT NULL GENERATED ALWAYS AS (lower(name COLLATE "und-x-icu")) STORED,
  identity_required boolean,
  identity_roles_required boolean,
  identity_policy jsonb,
  policy_version integer NOT NULL DEFAULT 0,
  missing_since timestamptz(3),
  retired_at timestamptz(3),
  updated_at timestamptz(3) NOT NULL,
  CONSTRAINT datasets_pbi_dataset_id_key UNIQUE (workspace_id, pbi_dataset_id)
);
CREATE INDEX datasets_name_key_idx ON datasets (name_key, id) WHERE retired_at IS NULL;
CREATE INDEX datasets_pbi_dataset_id_idx ON datasets (pbi_dataset_id);

CREATE TABLE sync_runs (
  id uuid CONSTRAINT sync_runs_pkey PRIMARY KEY,
  status text NOT NULL CONSTRAINT sync_runs_status_check
    CHECK (status IN ('queued', 'running', 'succeeded', 'partial', 'failed')),
  trigger text NOT NULL CONSTRAINT sync_runs_trigger_check CHECK (trigger IN ('schedule', 'request', 'start')),
  requested_by uuid CONSTRAINT sync_runs_requested_by_fkey REFERENCES users,
  workspaces_seen integer NOT NULL DEFAULT 0,
  workspaces_failed integer NOT NULL DEFAULT 0,
  reports_seen integer NOT NULL DEFAULT 0,
  changes integer NOT NULL DEFAULT 0,
  calls integer NOT NULL DEFAULT 0,
  throttled_seconds integer NOT NULL DEFAULT 0,
  errors jsonb NOT NULL DEFAULT '[]',
  queued_at timestamptz(3) NOT NULL,
  started_at timestamptz(3),
  heartbeat_at timestamptz(3),
  finished_at timestamptz(3)
);
CREATE UNIQUE INDEX sync_runs_one_queued_key ON sync_runs (status) WHERE status = 'queued';
CREATE UNIQUE INDEX sync_runs_one_running_key ON sync_runs (status) WHERE status = 'running';
CREATE INDEX sync_runs_queued_at_idx ON sync_runs (queued_at, id);

CREATE TABLE audit_events (
  id uuid NOT NULL,
  at timestamptz(3) NOT NULL,
  action text NOT NULL,
  outcome text NOT NULL CONSTRAINT audit_events_outcome_check CHECK (outcome IN ('allowed', 'denied', 'failed')),
  actor_id uuid,
  target_type text,
  target_id text,
  ip text,
  user_agent text,
  request_id text,
  details jsonb NOT NULL DEFAULT '{}',
  CONSTRAINT audit_events_pkey PRIMARY KEY (at, id)
) PARTITION BY RANGE (at);
CREATE TABLE audit_events_default PARTITION OF audit_events DEFAULT;
CREATE INDEX audit_events_actor_id_idx ON audit_events (actor_id, at);
`;

export class InitialSchema1795000000000 implements MigrationInterface {
  readonly name = 'InitialSchema1795000000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(tables);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE audit_events, sync_runs, datasets, reports, invitation_grants, invitations,
      memberships, workspaces, sessions, users`);
  }
}
