import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Which groups contain which groups, themselves included. It replaces the stored people of each group, so that nesting a
 * group writes a few rows whatever the number of its people. A group contains itself from its creation.
 */
const closure = `
LOCK TABLE groups, group_edges IN SHARE ROW EXCLUSIVE MODE;
CREATE TABLE group_closure (
  inner_id uuid NOT NULL CONSTRAINT group_closure_inner_id_fkey REFERENCES groups ON DELETE CASCADE,
  outer_id uuid NOT NULL CONSTRAINT group_closure_outer_id_fkey REFERENCES groups ON DELETE CASCADE,
  CONSTRAINT group_closure_pkey PRIMARY KEY (inner_id, outer_id)
);
CREATE INDEX group_closure_outer_id_idx ON group_closure (outer_id, inner_id);
INSERT INTO group_closure (inner_id, outer_id)
WITH RECURSIVE walk (inner_id, outer_id) AS (
  SELECT id, id FROM groups
  UNION SELECT walk.inner_id, edge.group_id FROM walk JOIN group_edges edge ON edge.member_group_id = walk.outer_id
) SELECT inner_id, outer_id FROM walk;

CREATE FUNCTION group_closure_add_group() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO group_closure (inner_id, outer_id) VALUES (NEW.id, NEW.id) ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;
CREATE TRIGGER group_closure_add_group AFTER INSERT ON groups FOR EACH ROW EXECUTE FUNCTION group_closure_add_group();
`;

/** A person is in the view once for each way into the group. */
const members = `
CREATE INDEX group_edges_group_id_user_id_idx ON group_edges (group_id, user_id);
DROP INDEX group_edges_group_id_idx;
DROP TABLE group_members_all;
CREATE VIEW group_members_all AS
  SELECT edge.user_id, closure.outer_id AS group_id
  FROM group_edges edge JOIN group_closure closure ON closure.inner_id = edge.group_id WHERE edge.user_id IS NOT NULL;
`;

export class GroupClosure1798740000000 implements MigrationInterface {
  readonly name = 'GroupClosure1798740000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const part of [closure, members]) await runner.query(part);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER VIEW group_members_all RENAME TO group_members_view;
      CREATE TABLE group_members_all (
        user_id uuid NOT NULL CONSTRAINT group_members_all_user_id_fkey REFERENCES users ON DELETE CASCADE,
        group_id uuid NOT NULL CONSTRAINT group_members_all_group_id_fkey REFERENCES groups ON DELETE CASCADE,
        CONSTRAINT group_members_all_pkey PRIMARY KEY (user_id, group_id)
      );
      INSERT INTO group_members_all (user_id, group_id) SELECT DISTINCT user_id, group_id FROM group_members_view;
      CREATE INDEX group_members_all_group_id_idx ON group_members_all (group_id, user_id);
      DROP VIEW group_members_view;
      CREATE INDEX group_edges_group_id_idx ON group_edges (group_id);
      DROP INDEX group_edges_group_id_user_id_idx;
      DROP TRIGGER group_closure_add_group ON groups;
      DROP FUNCTION group_closure_add_group();
      DROP TABLE group_closure`);
  }
}
