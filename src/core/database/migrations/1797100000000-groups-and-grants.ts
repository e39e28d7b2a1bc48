import type { MigrationInterface, QueryRunner } from 'typeorm';

/** `group_members_all` contains every person of a group and of the groups in it; it is derived from `group_edges`. */
const groups = `
CREATE TABLE groups (
  id uuid CONSTRAINT groups_pkey PRIMARY KEY,
  name text NOT NULL,
  name_key text NOT NULL GENERATED ALWAYS AS (lower(name COLLATE "und-x-icu")) STORED,
  description text,
  source text NOT NULL CONSTRAINT groups_source_check CHECK (source IN ('manual', 'provider', 'scim')),
  external_id text,
  created_at timestamptz(3) NOT NULL
);
CREATE UNIQUE INDEX groups_name_key_key ON groups (name_key);
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
CREATE INDEX group_edges_group_id_idx ON group_edges (group_id);

CREATE TABLE group_members_all (
  user_id uuid NOT NULL CONSTRAINT group_members_all_user_id_fkey REFERENCES users ON DELETE CASCADE,
  group_id uuid NOT NULL CONSTRAINT group_members_all_group_id_fkey REFERENCES groups ON DELETE CASCADE,
  CONSTRAINT group_members_all_pkey PRIMARY KEY (user_id, group_id)
);
CREATE INDEX group_members_all_group_id_idx ON group_members_all (group_id, user_id);
`;

/** No row is rewritten, so that the exclusive lock is short. */
const workspaceGrants = `
ALTER TABLE memberships RENAME TO workspace_grants;
ALTER TABLE workspace_grants
  DROP CONSTRAINT memberships_pkey,
  DROP CONSTRAINT memberships_source_check,
  ALTER user_id DROP NOT NULL,
  ADD COLUMN group_id uuid CONSTRAINT workspace_grants_group_id_fkey REFERENCES groups ON DELETE CASCADE,
  ADD COLUMN granted_by uuid CONSTRAINT workspace_grants_granted_by_fkey REFERENCES users ON DELETE SET NULL,
  ADD CONSTRAINT workspace_grants_source_check CHECK (source IN ('manual', 'provider', 'scim')),
  ADD CONSTRAINT workspace_grants_holder_check CHECK (num_nonnulls(user_id, group_id) = 1);
ALTER TABLE workspace_grants RENAME CONSTRAINT memberships_user_id_fkey TO workspace_grants_user_id_fkey;
ALTER TABLE workspace_grants RENAME CONSTRAINT memberships_workspace_id_fkey TO workspace_grants_workspace_id_fkey;
ALTER TABLE workspace_grants RENAME CONSTRAINT memberships_role_check TO workspace_grants_role_check;
ALTER INDEX memberships_workspace_id_idx RENAME TO workspace_grants_workspace_id_idx;
ALTER INDEX memberships_user_id_key RENAME TO workspace_grants_user_id_key;
CREATE UNIQUE INDEX workspace_grants_group_id_key ON workspace_grants (group_id, workspace_id, source)
  INCLUDE (role, expires_at);
`;

/** Replicas of release 0.1 read and write the grants of people through it. Dropped in the release after this one. */
const compatibility = `
CREATE VIEW memberships AS
  SELECT user_id, workspace_id, source, role, expires_at, created_at FROM workspace_grants WHERE user_id IS NOT NULL;
`;

/**
 * `workspace_id`, `name_key` and `is_retired` are copies from the report, so that one index finds a page of a holder's
 * reports. Triggers maintain them, because replicas of release 0.1 rename reports, too.
 */
const reportGrants = `
CREATE TABLE report_grants (
  report_id uuid NOT NULL CONSTRAINT report_grants_report_id_fkey REFERENCES reports,
  workspace_id uuid NOT NULL CONSTRAINT report_grants_workspace_id_fkey REFERENCES workspaces,
  name_key text NOT NULL,
  is_retired boolean NOT NULL DEFAULT false,
  user_id uuid CONSTRAINT report_grants_user_id_fkey REFERENCES users ON DELETE CASCADE,
  group_id uuid CONSTRAINT report_grants_group_id_fkey REFERENCES groups ON DELETE CASCADE,
  source text NOT NULL CONSTRAINT report_grants_source_check CHECK (source IN ('manual', 'provider', 'scim')),
  role text NOT NULL CONSTRAINT report_grants_role_check CHECK (role IN ('viewer', 'editor')),
  expires_at timestamptz(3),
  granted_by uuid CONSTRAINT report_grants_granted_by_fkey REFERENCES users ON DELETE SET NULL,
  created_at timestamptz(3) NOT NULL,
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

export class GroupsAndGrants1797100000000 implements MigrationInterface {
  readonly name = 'GroupsAndGrants1797100000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const part of [groups, workspaceGrants, compatibility, reportGrants]) await runner.query(part);
  }

  /** Loses groups and their grants, and grants on reports, which release 0.1 does not know. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TRIGGER report_grants_copy_report ON reports;
      DROP FUNCTION report_grants_copy_report();
      DROP TABLE report_grants;
      DROP FUNCTION report_grants_read_report();
      DROP VIEW memberships;
      DELETE FROM workspace_grants WHERE user_id IS NULL OR source = 'scim';
      ALTER INDEX workspace_grants_user_id_key RENAME TO memberships_user_id_key;
      ALTER TABLE workspace_grants
        DROP COLUMN group_id,
        DROP COLUMN granted_by,
        DROP CONSTRAINT workspace_grants_source_check,
        ADD CONSTRAINT memberships_source_check CHECK (source IN ('manual', 'provider')),
        ADD CONSTRAINT memberships_pkey PRIMARY KEY (user_id, workspace_id, source);
      ALTER INDEX workspace_grants_workspace_id_idx RENAME TO memberships_workspace_id_idx;
      ALTER TABLE workspace_grants RENAME CONSTRAINT workspace_grants_user_id_fkey TO memberships_user_id_fkey;
      ALTER TABLE workspace_grants RENAME CONSTRAINT workspace_grants_workspace_id_fkey TO memberships_workspace_id_fkey;
      ALTER TABLE workspace_grants RENAME CONSTRAINT workspace_grants_role_check TO memberships_role_check;
      ALTER TABLE workspace_grants RENAME TO memberships;
      DROP TABLE group_members_all, group_edges, groups`);
  }
}
