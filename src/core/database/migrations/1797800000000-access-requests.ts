import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A request for something that does not exist is stored, too: its requester must not detect the difference. */
const table = `
CREATE TABLE access_requests (
  id uuid CONSTRAINT access_requests_pkey PRIMARY KEY,
  requester_id uuid NOT NULL CONSTRAINT access_requests_requester_id_fkey REFERENCES users,
  target_type text NOT NULL CONSTRAINT access_requests_target_type_check CHECK (target_type IN ('workspace', 'report')),
  target_id uuid NOT NULL,
  workspace_id uuid CONSTRAINT access_requests_workspace_id_fkey REFERENCES workspaces,
  reason text,
  created_at timestamptz(3) NOT NULL,
  decision text CONSTRAINT access_requests_decision_check CHECK (decision IN ('approved', 'declined')),
  decided_by uuid CONSTRAINT access_requests_decided_by_fkey REFERENCES users,
  decided_at timestamptz(3),
  CONSTRAINT access_requests_decided_check
    CHECK ((decision IS NULL) = (decided_at IS NULL) AND (decided_by IS NULL) = (decided_at IS NULL))
);
CREATE UNIQUE INDEX access_requests_pending_key ON access_requests (requester_id, target_id) WHERE decided_at IS NULL;
CREATE INDEX access_requests_requester_id_idx ON access_requests (requester_id, created_at);
CREATE INDEX access_requests_workspace_id_idx ON access_requests (workspace_id, created_at);
CREATE INDEX access_requests_created_at_idx ON access_requests (created_at, id);
`;

export class AccessRequests1797800000000 implements MigrationInterface {
  readonly name = 'AccessRequests1797800000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(table);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE access_requests');
  }
}
