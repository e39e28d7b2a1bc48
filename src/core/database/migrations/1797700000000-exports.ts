import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Compressing encrypted parts of a file would cost time and save nothing. */
const tables = `
ALTER TABLE workspaces ADD COLUMN viewers_can_export boolean NOT NULL DEFAULT false;

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

export class Exports1797700000000 implements MigrationInterface {
  readonly name = 'Exports1797700000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(tables);
  }

  /** Loses exported files and who may export. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE report_export_tickets, report_export_chunks, report_exports');
    await runner.query('ALTER TABLE workspaces DROP COLUMN viewers_can_export');
  }
}
