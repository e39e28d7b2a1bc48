/**
 * `group_closure` contains which groups contain which groups, themselves included, so that nesting a group writes a few rows
 * whatever the number of its people. A group contains itself from its creation. Two groups may differ only by an accent.
 * A person is in `group_members_all` once for each way into the group.
 */
const groups = `
CREATE TABLE groups (
  id uuid CONSTRAINT groups_pkey PRIMARY KEY,
  name text NOT NULL,
  description text,
  source text NOT NULL CONSTRAINT groups_source_check CHECK (source IN ('manual', 'provider', 'scim')),
  external_id text,
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3),
  name_key text COLLATE "und-x-icu" NOT NULL GENERATED ALWAYS AS (fold_name(name)) STORED
);
CREATE INDEX groups_name_key_idx ON groups (name_key, id);
CREATE UNIQUE INDEX groups_name_key_key ON groups ((lower(name COLLATE "und-x-icu") COLLATE "default"));
CREATE UNIQUE INDEX groups_external_id_key ON groups (source, external_id) WHERE external_id IS NOT NULL;

CREATE TABLE group_edges (
  group_id uuid NOT NULL CONSTRAINT group_edges_group_id_fkey REFERENCES groups ON DELETE CASCADE,
  user_id uuid CONSTRAINT group_edges_user_id_fkey REFERENCES users ON DELETE CASCADE,
  member_group_id uuid CONSTRAINT group_edges_member_group_id_fkey REFERENCES groups ON DELETE CASCADE,
  source text NOT NULL CONSTRAINT group_edges_source_check CHECK (source IN ('manual', 'provider', 'scim')),
  created_at timestamptz(3) NOT NULL,
  CONSTRAINT group_edges_member_check CHECK (num_nonnulls(user_id, member_group_id) = 1),
  CONSTRAINT group_edges_self_check CHECK (group_id <> member_group_id)
);
CREATE UNIQUE INDEX group_edges_user_id_key ON group_edges (user_id, group_id, source) WHERE user_id IS NOT NULL;
CREATE UNIQUE INDEX group_edges_member_group_id_key ON group_edges (member_group_id, group_id, source)
  WHERE member_group_id IS NOT NULL;
CREATE INDEX group_edges_group_id_user_id_idx ON group_edges (group_id, user_id);

CREATE TABLE group_closure (
  inner_id uuid NOT NULL CONSTRAINT group_closure_inner_id_fkey REFERENCES groups ON DELETE CASCADE,
  outer_id uuid NOT NULL CONSTRAINT group_closure_outer_id_fkey REFERENCES groups ON DELETE CASCADE,
  CONSTRAINT group_closure_pkey PRIMARY KEY (inner_id, outer_id)
);
CREATE INDEX group_closure_outer_id_idx ON group_closure (outer_id, inner_id);

CREATE FUNCTION group_closure_add_group() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO group_closure (inner_id, outer_id) VALUES (NEW.id, NEW.id) ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;
CREATE TRIGGER group_closure_add_group AFTER INSERT ON groups FOR EACH ROW EXECUTE FUNCTION group_closure_add_group();

CREATE VIEW group_members_all AS
  SELECT edge.user_id, closure.outer_id AS group_id
  FROM group_edges edge JOIN group_closure closure ON closure.inner_id = edge.group_id WHERE edge.user_id IS NOT NULL;
`;

/**
 * A list of workspaces is read from the unique indexes alone. `by_derived_right`: the grantor's own right came through a group
 * or a rule, which may have ended since.
 */
export const workspaceGrants = `
CREATE TABLE workspace_grants (
  user_id uuid CONSTRAINT workspace_grants_user_id_fkey REFERENCES users ON DELETE CASCADE,
  workspace_id uuid NOT NULL CONSTRAINT workspace_grants_workspace_id_fkey REFERENCES workspaces,
  source text NOT NULL CONSTRAINT workspace_grants_source_check CHECK (source IN ('manual', 'provider', 'scim')),
  role text NOT NULL CONSTRAINT workspace_grants_role_check CHECK (role IN ('viewer', 'editor', 'manager')),
  expires_at timestamptz(3),
  created_at timestamptz(3) NOT NULL,
  group_id uuid CONSTRAINT workspace_grants_group_id_fkey REFERENCES groups ON DELETE CASCADE,
  granted_by uuid CONSTRAINT workspace_grants_granted_by_fkey REFERENCES users ON DELETE SET NULL,
  by_derived_right boolean NOT NULL DEFAULT false,
  CONSTRAINT workspace_grants_holder_check CHECK (num_nonnulls(user_id, group_id) = 1)
);
CREATE UNIQUE INDEX workspace_grants_user_id_key ON workspace_grants (user_id, workspace_id, source)
  INCLUDE (role, expires_at);
CREATE UNIQUE INDEX workspace_grants_group_id_key ON workspace_grants (group_id, workspace_id, source)
  INCLUDE (role, expires_at);
CREATE INDEX workspace_grants_workspace_id_idx ON workspace_grants (workspace_id);
`;

/**
 * `workspace_id`, `name_key` and `is_retired` are copies from the report, so that one index finds a page of a holder's
 * reports. Triggers maintain them.
 */
export const reportGrants = `
CREATE TABLE report_grants (
  report_id uuid NOT NULL CONSTRAINT report_grants_report_id_fkey REFERENCES reports,
  workspace_id uuid NOT NULL CONSTRAINT report_grants_workspace_id_fkey REFERENCES workspaces,
  name_key text COLLATE "und-x-icu" NOT NULL,
  is_retired boolean NOT NULL DEFAULT false,
  user_id uuid CONSTRAINT report_grants_user_id_fkey REFERENCES users ON DELETE CASCADE,
  group_id uuid CONSTRAINT report_grants_group_id_fkey REFERENCES groups ON DELETE CASCADE,
  source text NOT NULL CONSTRAINT report_grants_source_check CHECK (source IN ('manual', 'provider', 'scim')),
  role text NOT NULL CONSTRAINT report_grants_role_check CHECK (role IN ('viewer', 'editor')),
  expires_at timestamptz(3),
  granted_by uuid CONSTRAINT report_grants_granted_by_fkey REFERENCES users ON DELETE SET NULL,
  created_at timestamptz(3) NOT NULL,
  by_derived_right boolean NOT NULL DEFAULT false,
  CONSTRAINT report_grants_holder_check CHECK (num_nonnulls(user_id, group_id) = 1)
);
CREATE UNIQUE INDEX report_grants_user_id_key ON report_grants (user_id, report_id, source);
CREATE UNIQUE INDEX report_grants_group_id_key ON report_grants (group_id, report_id, source);
CREATE INDEX report_grants_user_name_idx ON report_grants (user_id, name_key, report_id)
  INCLUDE (workspace_id, expires_at) WHERE user_id IS NOT NULL AND NOT is_retired;
CREATE INDEX report_grants_group_name_idx ON report_grants (group_id, name_key, report_id)
  INCLUDE (workspace_id, expires_at) WHERE group_id IS NOT NULL AND NOT is_retired;
CREATE INDEX report_grants_report_id_idx ON report_grants (report_id);
CREATE INDEX report_grants_workspace_id_idx ON report_grants (workspace_id);

CREATE FUNCTION report_grants_read_report() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  SELECT workspace_id, name_key, retired_at IS NOT NULL INTO NEW.workspace_id, NEW.name_key, NEW.is_retired
  FROM reports WHERE id = NEW.report_id FOR SHARE;
  RETURN NEW;
END $$;
CREATE TRIGGER report_grants_read_report BEFORE INSERT ON report_grants FOR EACH ROW
  EXECUTE FUNCTION report_grants_read_report();

CREATE FUNCTION report_grants_copy_report() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE report_grants SET name_key = NEW.name_key, is_retired = NEW.retired_at IS NOT NULL WHERE report_id = NEW.id;
  RETURN NULL;
END $$;
CREATE TRIGGER report_grants_copy_report AFTER UPDATE ON reports FOR EACH ROW
  WHEN (OLD.name_key <> NEW.name_key OR (OLD.retired_at IS NULL) <> (NEW.retired_at IS NULL))
  EXECUTE FUNCTION report_grants_copy_report();
`;

/**
 * `rule_references` contains the workspace, report or group that a sign-in rule named when its name was first resolved. An
 * access request for something that does not exist is stored, too: its requester must not detect the difference.
 */
const rulesAndRequests = `
CREATE TABLE rule_references (
  kind text NOT NULL CONSTRAINT rule_references_kind_check CHECK (kind IN ('workspace', 'report', 'group')),
  reference text NOT NULL,
  bound_id uuid,
  unresolved_since timestamptz,
  CONSTRAINT rule_references_pkey PRIMARY KEY (kind, reference)
);

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

export const groupsAndGrants = groups + workspaceGrants + reportGrants + rulesAndRequests;
