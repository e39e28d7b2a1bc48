/** Updated with each token: without an index on the time these updates touch no index. */
export const recentReports = `
CREATE TABLE recent_reports (
  user_id uuid NOT NULL CONSTRAINT recent_reports_user_id_fkey REFERENCES users ON DELETE CASCADE,
  report_id uuid NOT NULL CONSTRAINT recent_reports_report_id_fkey REFERENCES reports ON DELETE CASCADE,
  opened_at timestamptz(3) NOT NULL,
  CONSTRAINT recent_reports_pkey PRIMARY KEY (user_id, report_id)
) WITH (fillfactor = 70);
CREATE INDEX recent_reports_report_id_idx ON recent_reports (report_id);
`;

/** A shared view outlives the account that created it; a private one never does. */
const views = `
CREATE TABLE favourites (
  user_id uuid NOT NULL CONSTRAINT favourites_user_id_fkey REFERENCES users ON DELETE CASCADE,
  report_id uuid NOT NULL CONSTRAINT favourites_report_id_fkey REFERENCES reports ON DELETE CASCADE,
  created_at timestamptz(3) NOT NULL,
  CONSTRAINT favourites_pkey PRIMARY KEY (user_id, report_id)
);
CREATE INDEX favourites_report_id_idx ON favourites (report_id);
${recentReports}
CREATE TABLE saved_views (
  id uuid CONSTRAINT saved_views_pkey PRIMARY KEY,
  report_id uuid NOT NULL CONSTRAINT saved_views_report_id_fkey REFERENCES reports ON DELETE CASCADE,
  name text NOT NULL,
  scope text NOT NULL CONSTRAINT saved_views_scope_check CHECK (scope IN ('private', 'shared')),
  state text NOT NULL CONSTRAINT saved_views_state_check CHECK (octet_length(state) <= 65536),
  page text,
  created_by uuid CONSTRAINT saved_views_created_by_fkey REFERENCES users ON DELETE CASCADE,
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  name_key text COLLATE "und-x-icu" NOT NULL GENERATED ALWAYS AS (fold_name(name)) STORED,
  CONSTRAINT saved_views_owner_check CHECK (scope = 'shared' OR created_by IS NOT NULL)
);
CREATE INDEX saved_views_report_id_idx ON saved_views (report_id, created_by);
CREATE INDEX saved_views_created_by_idx ON saved_views (created_by);
`;

/**
 * `identity_hash`: the identity under which an export started, null before the start. Compressing encrypted parts of a file would
 * cost time and save nothing.
 */
const exports = `
CREATE TABLE report_exports (
  id uuid NOT NULL,
  user_id uuid NOT NULL CONSTRAINT report_exports_user_id_fkey REFERENCES users,
  report_id uuid NOT NULL CONSTRAINT report_exports_report_id_fkey REFERENCES reports ON DELETE CASCADE,
  workspace_id uuid NOT NULL CONSTRAINT report_exports_workspace_id_fkey REFERENCES workspaces ON DELETE CASCADE,
  format text NOT NULL,
  pages text[] NOT NULL,
  view_state text,
  status text NOT NULL CONSTRAINT report_exports_status_check
    CHECK (status IN ('queued', 'running', 'succeeded', 'failed', 'cancelled', 'expired')),
  percent integer NOT NULL,
  file_name text NOT NULL,
  size bigint,
  error_code text,
  error_detail text,
  capacity text,
  pbi_export_id text,
  attempts integer NOT NULL,
  created_at timestamptz(3) NOT NULL,
  touched_at timestamptz(3) NOT NULL,
  finished_at timestamptz(3),
  expires_at timestamptz(3),
  identity_hash bytea,
  CONSTRAINT report_exports_pkey PRIMARY KEY (id)
);
CREATE INDEX report_exports_user_id_idx ON report_exports (user_id, created_at, id);
CREATE INDEX report_exports_report_id_idx ON report_exports (report_id);
CREATE INDEX report_exports_workspace_id_idx ON report_exports (workspace_id);
CREATE INDEX report_exports_active_idx ON report_exports (capacity, id) WHERE status IN ('queued', 'running');
CREATE INDEX report_exports_created_at_idx ON report_exports (created_at);

CREATE TABLE report_export_chunks (
  export_id uuid NOT NULL CONSTRAINT report_export_chunks_export_id_fkey REFERENCES report_exports ON DELETE CASCADE,
  position integer NOT NULL,
  sealed bytea NOT NULL,
  CONSTRAINT report_export_chunks_pkey PRIMARY KEY (export_id, position)
);
ALTER TABLE report_export_chunks ALTER COLUMN sealed SET STORAGE EXTERNAL;

CREATE TABLE report_export_tickets (
  hash bytea NOT NULL,
  export_id uuid NOT NULL CONSTRAINT report_export_tickets_export_id_fkey REFERENCES report_exports ON DELETE CASCADE,
  expires_at timestamptz(3) NOT NULL,
  CONSTRAINT report_export_tickets_pkey PRIMARY KEY (hash)
);
CREATE INDEX report_export_tickets_export_id_idx ON report_export_tickets (export_id);
CREATE INDEX report_export_tickets_expires_at_idx ON report_export_tickets (expires_at);
`;

export const viewsAndExports = views + exports;
