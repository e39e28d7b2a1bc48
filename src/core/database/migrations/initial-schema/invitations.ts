/**
 * Each inviter has an own open invitation to an address; one of an account (`user_id`) waits for that person's next request.
 * `attach_user_id`: the account whose owner asked to attach an invitation that was sent to another address. The `workspace_id` of
 * a grant on a report is a copy from the report, which never changes it.
 */
export const invitations = `
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
  user_id uuid CONSTRAINT invitations_user_id_fkey REFERENCES users,
  attach_user_id uuid CONSTRAINT invitations_attach_user_id_fkey REFERENCES users
);
CREATE UNIQUE INDEX invitations_open_email_key ON invitations (email, invited_by)
  WHERE accepted_at IS NULL AND revoked_at IS NULL;
CREATE INDEX invitations_waiting_idx ON invitations (user_id)
  WHERE accepted_at IS NULL AND revoked_at IS NULL AND user_id IS NOT NULL;

CREATE TABLE invitation_grants (
  invitation_id uuid NOT NULL CONSTRAINT invitation_grants_invitation_id_fkey
    REFERENCES invitations ON DELETE CASCADE,
  workspace_id uuid NOT NULL CONSTRAINT invitation_grants_workspace_id_fkey REFERENCES workspaces,
  granted_by uuid NOT NULL CONSTRAINT invitation_grants_granted_by_fkey REFERENCES users,
  role text NOT NULL CONSTRAINT invitation_grants_role_check CHECK (role IN ('viewer', 'editor', 'manager')),
  expires_at timestamptz(3),
  CONSTRAINT invitation_grants_pkey PRIMARY KEY (invitation_id, workspace_id)
);

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
