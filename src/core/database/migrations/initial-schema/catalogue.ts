/**
 * With the default statistics of 100 values, one name in the sample that contains a rare term makes PostgreSQL expect 1 % of
 * all reports, and read them in the order of their names instead of using the trigram index.
 */
const contents = `
CREATE TABLE workspaces (
  id uuid CONSTRAINT workspaces_pkey PRIMARY KEY,
  pbi_workspace_id uuid NOT NULL CONSTRAINT workspaces_pbi_workspace_id_key UNIQUE,
  name text NOT NULL,
  report_count integer NOT NULL DEFAULT 0,
  missing_since timestamptz(3),
  retired_at timestamptz(3),
  updated_at timestamptz(3) NOT NULL,
  pbi_profile_id uuid,
  viewers_can_export boolean NOT NULL DEFAULT false,
  name_key text COLLATE "und-x-icu" NOT NULL GENERATED ALWAYS AS (fold_name(name)) STORED
);
CREATE INDEX workspaces_name_key_idx ON workspaces (name_key, id) WHERE retired_at IS NULL;

CREATE TABLE reports (
  id uuid CONSTRAINT reports_pkey PRIMARY KEY,
  workspace_id uuid NOT NULL CONSTRAINT reports_workspace_id_fkey REFERENCES workspaces,
  pbi_report_id uuid NOT NULL,
  pbi_dataset_id text,
  name text NOT NULL,
  description text,
  report_type text NOT NULL CONSTRAINT reports_report_type_check
    CHECK (report_type IN ('PowerBIReport', 'PaginatedReport')),
  web_url text,
  embed_url text NOT NULL,
  missing_since timestamptz(3),
  retired_at timestamptz(3),
  updated_at timestamptz(3) NOT NULL,
  data_as_of timestamptz(3),
  refresh_status text CONSTRAINT reports_refresh_status_check
    CHECK (refresh_status IN ('succeeded', 'failed', 'running', 'live')),
  refresh_failed_since timestamptz(3),
  name_key text COLLATE "und-x-icu" NOT NULL GENERATED ALWAYS AS (fold_name(name)) STORED,
  CONSTRAINT reports_pbi_report_id_key UNIQUE (workspace_id, pbi_report_id)
);
ALTER TABLE reports ALTER COLUMN name_key SET STATISTICS 1000;
CREATE INDEX reports_name_key_idx ON reports (name_key, id) WHERE retired_at IS NULL;
CREATE INDEX reports_workspace_id_name_key_idx ON reports (workspace_id, name_key, id) WHERE retired_at IS NULL;
CREATE INDEX reports_updated_at_idx ON reports (updated_at, id) WHERE retired_at IS NULL;
CREATE INDEX reports_pbi_report_id_idx ON reports (pbi_report_id);
CREATE INDEX reports_pbi_dataset_id_idx ON reports (pbi_dataset_id) WHERE retired_at IS NULL;

CREATE TABLE datasets (
  id uuid CONSTRAINT datasets_pkey PRIMARY KEY,
  workspace_id uuid NOT NULL CONSTRAINT datasets_workspace_id_fkey REFERENCES workspaces,
  pbi_dataset_id text NOT NULL,
  name text NOT NULL,
  identity_required boolean,
  identity_roles_required boolean,
  identity_policy jsonb,
  policy_version integer NOT NULL DEFAULT 0,
  missing_since timestamptz(3),
  retired_at timestamptz(3),
  updated_at timestamptz(3) NOT NULL,
  name_key text COLLATE "und-x-icu" NOT NULL GENERATED ALWAYS AS (fold_name(name)) STORED,
  CONSTRAINT datasets_pbi_dataset_id_key UNIQUE (workspace_id, pbi_dataset_id)
);
CREATE INDEX datasets_name_key_idx ON datasets (name_key, id) WHERE retired_at IS NULL;
CREATE INDEX datasets_pbi_dataset_id_idx ON datasets (pbi_dataset_id);
`;

/**
 * `dataset_refreshes` contains what is known about the refreshes of a dataset. Reports contain a copy, so that a list of
 * reports reads nothing else.
 */
const synchronization = `
CREATE TABLE dataset_refreshes (
  pbi_dataset_id text CONSTRAINT dataset_refreshes_pkey PRIMARY KEY,
  status text CONSTRAINT dataset_refreshes_status_check
    CHECK (status IN ('succeeded', 'failed', 'running', 'live')),
  data_as_of timestamptz(3),
  failed_since timestamptz(3),
  checked_at timestamptz(3) NOT NULL,
  next_at timestamptz(3) NOT NULL
) WITH (fillfactor = 70);

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
  finished_at timestamptz(3),
  claim uuid,
  reached uuid,
  workspaces_done integer NOT NULL DEFAULT 0,
  workspaces_total integer
);
CREATE UNIQUE INDEX sync_runs_one_queued_key ON sync_runs (status) WHERE status = 'queued';
CREATE UNIQUE INDEX sync_runs_one_running_key ON sync_runs (status) WHERE status = 'running';
CREATE INDEX sync_runs_queued_at_idx ON sync_runs (queued_at, id);

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

export const catalogue = contents + synchronization;
