import type { MigrationInterface, QueryRunner } from 'typeorm';
import { reportGrants, workspaceGrants } from './initial-schema/groups-and-grants.js';

const columns =
  'user_id, group_id, workspace_id, role, source, expires_at, granted_by, by_derived_right, created_at';

/**
 * `name_key` and `is_retired` are copies from the report, so that one index finds a page of a holder's reports in the order
 * of their names.
 */
const table = `
LOCK TABLE workspace_grants, report_grants IN ACCESS EXCLUSIVE MODE;
CREATE TABLE grants (
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  user_id uuid,
  group_id uuid,
  workspace_id uuid NOT NULL,
  report_id uuid,
  role text NOT NULL,
  source text NOT NULL,
  expires_at timestamptz(3),
  granted_by uuid,
  by_derived_right boolean NOT NULL DEFAULT false,
  created_at timestamptz(3) NOT NULL,
  name_key text COLLATE "und-x-icu",
  is_retired boolean NOT NULL DEFAULT false,
  CONSTRAINT grants_holder_check CHECK (num_nonnulls(user_id, group_id) = 1),
  CONSTRAINT grants_role_check CHECK (role IN ('viewer', 'editor') OR role = 'manager' AND report_id IS NULL),
  CONSTRAINT grants_source_check CHECK (source IN ('manual', 'provider', 'scim'))
);
INSERT INTO grants (${columns}) SELECT ${columns} FROM workspace_grants;
INSERT INTO grants (${columns}, report_id, name_key, is_retired)
  SELECT ${columns}, report_id, name_key, is_retired FROM report_grants;
ALTER TABLE grants
  ADD CONSTRAINT grants_pkey PRIMARY KEY (id),
  -- In the order in which a user's grants are looked up. The included columns make these reads index-only.
  ADD CONSTRAINT grants_holder_key UNIQUE NULLS NOT DISTINCT (user_id, report_id, workspace_id, source, group_id)
    INCLUDE (role, expires_at, is_retired),
  ADD CONSTRAINT grants_user_id_fkey FOREIGN KEY (user_id) REFERENCES users ON DELETE CASCADE,
  ADD CONSTRAINT grants_group_id_fkey FOREIGN KEY (group_id) REFERENCES groups ON DELETE CASCADE,
  ADD CONSTRAINT grants_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces,
  ADD CONSTRAINT grants_report_id_fkey FOREIGN KEY (report_id) REFERENCES reports,
  ADD CONSTRAINT grants_granted_by_fkey FOREIGN KEY (granted_by) REFERENCES users ON DELETE SET NULL;
CREATE INDEX grants_workspace_id_idx ON grants (workspace_id, report_id);
CREATE INDEX grants_report_id_idx ON grants (report_id) WHERE report_id IS NOT NULL;
CREATE INDEX grants_group_id_idx ON grants (group_id, report_id, workspace_id)
  INCLUDE (source, role, expires_at, is_retired) WHERE group_id IS NOT NULL;
CREATE INDEX grants_user_name_idx ON grants (user_id, name_key, report_id)
  INCLUDE (workspace_id, expires_at) WHERE user_id IS NOT NULL AND report_id IS NOT NULL AND NOT is_retired;
CREATE INDEX grants_group_name_idx ON grants (group_id, name_key, report_id)
  INCLUDE (workspace_id, expires_at) WHERE group_id IS NOT NULL AND report_id IS NOT NULL AND NOT is_retired;
`;

const triggers = `
CREATE FUNCTION grants_read_report() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  SELECT workspace_id, name_key, retired_at IS NOT NULL INTO NEW.workspace_id, NEW.name_key, NEW.is_retired
  FROM reports WHERE id = NEW.report_id FOR SHARE;
  RETURN NEW;
END $$;
CREATE TRIGGER grants_read_report BEFORE INSERT ON grants FOR EACH ROW
  WHEN (NEW.report_id IS NOT NULL) EXECUTE FUNCTION grants_read_report();

CREATE FUNCTION grants_copy_report() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE grants SET name_key = NEW.name_key, is_retired = NEW.retired_at IS NOT NULL WHERE report_id = NEW.id;
  RETURN NULL;
END $$;
CREATE TRIGGER grants_copy_report AFTER UPDATE ON reports FOR EACH ROW
  WHEN (OLD.name_key <> NEW.name_key OR (OLD.retired_at IS NULL) <> (NEW.retired_at IS NULL))
  EXECUTE FUNCTION grants_copy_report();
`;

/**
 * The active grants of a user, direct and through groups, except those on retired reports. PostgreSQL inlines it, so that
 * conditions of the caller reach the indexes: it must stay one SELECT, STABLE and without SET.
 */
const effectiveGrants = `
CREATE FUNCTION effective_grants(user_id uuid, at timestamptz) RETURNS SETOF grants LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT own.* FROM grants own
  WHERE own.user_id = $1 AND NOT own.is_retired AND (own.expires_at IS NULL OR own.expires_at > $2)
  UNION ALL
  SELECT shared.* FROM grants shared
  WHERE shared.group_id = ANY(ARRAY(SELECT DISTINCT m.group_id FROM group_members_all m WHERE m.user_id = $1))
    AND NOT shared.is_retired AND (shared.expires_at IS NULL OR shared.expires_at > $2)
$$;
`;

const replaced = `
DROP VIEW IF EXISTS memberships;
DROP TRIGGER report_grants_copy_report ON reports;
DROP TABLE workspace_grants, report_grants;
DROP FUNCTION report_grants_copy_report(), report_grants_read_report();
`;

const moved = `
INSERT INTO workspace_grants (${columns}) SELECT ${columns} FROM grants WHERE report_id IS NULL;
INSERT INTO report_grants (${columns}, report_id, name_key, is_retired)
  SELECT ${columns}, report_id, name_key, is_retired FROM grants WHERE report_id IS NOT NULL;
DROP TRIGGER grants_copy_report ON reports;
DROP FUNCTION effective_grants(uuid, timestamptz);
DROP TABLE grants;
DROP FUNCTION grants_read_report(), grants_copy_report();
`;

/** One table of grants on workspaces and on single reports, and the function that reads those of a user. */
export class Grants1798810000000 implements MigrationInterface {
  readonly name = 'Grants1798810000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const part of [table, replaced, triggers, effectiveGrants]) await runner.query(part);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const part of [workspaceGrants, reportGrants, moved]) await runner.query(part);
  }
}
