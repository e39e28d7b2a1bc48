import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Tables of their own: release 0.1 would read rows of `invitation_grants` as grants on whole workspaces. `workspace_id` is a
 * copy from the report, which never changes it.
 */
const tables = `
CREATE TABLE invitation_report_grants (
  invitation_id uuid NOT NULL CONSTRAINT invitation_report_grants_invitation_id_fkey
    REFERENCES invitations ON DELETE CASCADE,
  report_id uuid NOT NULL CONSTRAINT invitation_report_grants_report_id_fkey REFERENCES reports,
  workspace_id uuid NOT NULL CONSTRAINT invitation_report_grants_workspace_id_fkey REFERENCES workspaces,
  granted_by uuid NOT NULL CONSTRAINT invitation_report_grants_granted_by_fkey REFERENCES users,
  role text NOT NULL CONSTRAINT invitation_report_grants_role_check CHECK (role IN ('viewer', 'editor')),
  expires_at timestamptz(3),
  CONSTRAINT invitation_report_grants_pkey PRIMARY KEY (invitation_id, report_id)
);

CREATE TABLE invitation_groups (
  invitation_id uuid NOT NULL CONSTRAINT invitation_groups_invitation_id_fkey REFERENCES invitations ON DELETE CASCADE,
  group_id uuid NOT NULL CONSTRAINT invitation_groups_group_id_fkey REFERENCES groups ON DELETE CASCADE,
  granted_by uuid NOT NULL CONSTRAINT invitation_groups_granted_by_fkey REFERENCES users,
  CONSTRAINT invitation_groups_pkey PRIMARY KEY (invitation_id, group_id)
);
CREATE INDEX invitation_groups_group_id_idx ON invitation_groups (group_id);
`;

export class InvitationAccess1797200000000 implements MigrationInterface {
  readonly name = 'InvitationAccess1797200000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(tables);
  }

  /** Loses what pending invitations confer besides workspaces. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE invitation_groups, invitation_report_grants');
  }
}
