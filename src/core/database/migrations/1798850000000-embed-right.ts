import type { MigrationInterface, QueryRunner } from 'typeorm';

const returned = `RETURNS TABLE (
  report_id uuid, workspace_id uuid, user_id uuid, status text, suffices boolean, ends_at timestamptz, is_revoked boolean
)`;

/** The revocations that apply to a user and a report: of users, of reports and of workspaces, each found by an index. */
const revocations = `
CREATE FUNCTION active_revocations(viewer uuid, report uuid, workspace uuid) RETURNS SETOF embed_revocations
LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT v.* FROM embed_revocations v WHERE v.lifted_at IS NULL AND v.user_id = $1
    AND (v.report_id IS NULL OR v.report_id = $2) AND (v.workspace_id IS NULL OR v.workspace_id = $3)
  UNION ALL
  SELECT v.* FROM embed_revocations v WHERE v.lifted_at IS NULL AND v.user_id IS NULL AND v.report_id = $2
    AND (v.workspace_id IS NULL OR v.workspace_id = $3)
  UNION ALL
  SELECT v.* FROM embed_revocations v WHERE v.lifted_at IS NULL AND v.user_id IS NULL AND v.report_id IS NULL AND v.workspace_id = $3
$$;
`;

/**
 * The right of a user to a report: no row if the user may not see it. `suffices`: whether it includes one of the roles; `ends_at`: when
 * the last grant with one of them expires, null: never. PostgreSQL inlines both: each must stay one SELECT, STABLE and without SET.
 */
const right = `
CREATE FUNCTION embed_right(viewer uuid, target uuid, roles text[], at timestamptz) ${returned}
LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT r.id, r.workspace_id, u.id, u.status, u.role = 'admin' OR g.suffices,
    CASE WHEN u.role <> 'admin' THEN nullif(g.ends_at, 'infinity') END,
    EXISTS (SELECT FROM active_revocations(u.id, r.id, r.workspace_id))
  FROM reports r
  JOIN users u ON u.id = $1
  CROSS JOIN LATERAL (
    SELECT count(*) > 0 AS is_member, coalesce(bool_or(granted.role = ANY ($3)), false) AS suffices,
      max(coalesce(granted.expires_at, 'infinity')) FILTER (WHERE granted.role = ANY ($3)) AS ends_at
    FROM (
      SELECT e.role, e.expires_at FROM effective_grants($1, $4) e WHERE e.report_id IS NULL AND e.workspace_id = r.workspace_id
      UNION ALL
      SELECT e.role, e.expires_at FROM effective_grants($1, $4) e WHERE e.report_id = r.id
    ) AS granted
  ) AS g
  WHERE r.id = $2 AND r.retired_at IS NULL AND (u.role = 'admin' OR g.is_member)
$$;
`;

/**
 * The same right, which is valid until the transaction ends as regards the report, the user and revocations. VOLATILE: in READ COMMITTED
 * each of its statements sees what was committed before that statement began, so the last one sees what the locks waited for.
 */
const locked = `
CREATE FUNCTION lock_embed_right(viewer uuid, target uuid, roles text[], at timestamptz) ${returned}
LANGUAGE plpgsql VOLATILE AS $$
BEGIN
  PERFORM 1 FROM users u WHERE u.id = $1 FOR KEY SHARE;
  PERFORM 1 FROM reports r WHERE r.id = $2 FOR SHARE;
  RETURN QUERY SELECT * FROM embed_right($1, $2, $3, $4);
END $$;
`;

/** The decision about an embed token in one place, read with and without locks. */
export class EmbedRight1798850000000 implements MigrationInterface {
  readonly name = 'EmbedRight1798850000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(revocations + right + locked);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP FUNCTION lock_embed_right(uuid, uuid, text[], timestamptz);
      DROP FUNCTION embed_right(uuid, uuid, text[], timestamptz);
      DROP FUNCTION active_revocations(uuid, uuid, uuid)`);
  }
}
