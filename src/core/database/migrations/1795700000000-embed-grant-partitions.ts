import type { MigrationInterface, QueryRunner } from 'typeorm';

const columns = `
  id uuid NOT NULL,
  token_id uuid NOT NULL,
  user_id uuid NOT NULL,
  report_id uuid NOT NULL,
  workspace_id uuid NOT NULL,
  access text NOT NULL CONSTRAINT embed_grants_access_check CHECK (access IN ('view', 'edit')),
  identity jsonb,
  issued_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  handed_out integer NOT NULL DEFAULT 1,
  last_handed_out_at timestamptz(3) NOT NULL,
  ip text,
  request_id text`;

const indexes = `
CREATE INDEX embed_grants_issued_at_idx ON embed_grants (issued_at, id);
CREATE INDEX embed_grants_user_id_idx ON embed_grants (user_id, issued_at, id);
CREATE INDEX embed_grants_report_id_idx ON embed_grants (report_id, issued_at, id);
CREATE INDEX embed_grants_workspace_id_idx ON embed_grants (workspace_id, issued_at, id);
CREATE INDEX embed_grants_expires_at_idx ON embed_grants (expires_at);
`;

/** The table takes the place of the other one, with its rows. */
const exchange = (primaryKey: string, partitioned: string): string => `
ALTER TABLE embed_grants RENAME TO embed_grants_before;
ALTER TABLE embed_grants_before DROP CONSTRAINT embed_grants_pkey;
DROP INDEX embed_grants_issued_at_idx, embed_grants_user_id_idx, embed_grants_report_id_idx,
  embed_grants_workspace_id_idx, embed_grants_expires_at_idx;
CREATE TABLE embed_grants (${columns}, CONSTRAINT embed_grants_pkey PRIMARY KEY (${primaryKey})) ${partitioned};
${indexes}`;

const copy = `
INSERT INTO embed_grants SELECT * FROM embed_grants_before;
DROP TABLE embed_grants_before;
`;

/** SECURITY DEFINER runs as the owner, so it asks for itself who is calling: those who write the grants. */
const helpers = (path: string): string => `
CREATE FUNCTION embed_grants_require_writer() RETURNS void LANGUAGE plpgsql ${path} AS $$
BEGIN
  IF NOT has_table_privilege(session_user, 'embed_grants', 'INSERT') THEN
    RAISE EXCEPTION 'only who writes embed grants may tend them' USING ERRCODE = 'insufficient_privilege';
  END IF;
  PERFORM pg_advisory_xact_lock(hashtext('embed_grants_partitions'));
END $$;

CREATE FUNCTION embed_grants_create_partition(start timestamp) RETURNS void LANGUAGE plpgsql ${path} AS $$
DECLARE
  partition text := 'embed_grants_' || to_char(start, 'YYYYMM');
BEGIN
  IF to_regclass(partition) IS NOT NULL THEN RETURN; END IF;
  EXECUTE format('CREATE TABLE %I PARTITION OF embed_grants FOR VALUES FROM (%L) TO (%L)', partition,
    start AT TIME ZONE 'UTC', (start + interval '1 month') AT TIME ZONE 'UTC');
END $$;
REVOKE EXECUTE ON FUNCTION embed_grants_require_writer(), embed_grants_create_partition(timestamp) FROM PUBLIC;
`;

/** Rows in the default partition block the creation of the partition of their month: they move to it. */
const prepare = (path: string): string => `
CREATE FUNCTION embed_grants_prepare_partitions(months_ahead integer) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER ${path} AS $$
DECLARE
  this_month timestamp := date_trunc('month', now() AT TIME ZONE 'UTC');
  month timestamp;
BEGIN
  PERFORM embed_grants_require_writer();
  IF EXISTS (SELECT FROM embed_grants_default) THEN
    ALTER TABLE embed_grants DETACH PARTITION embed_grants_default;
    ALTER TABLE embed_grants_default RENAME TO embed_grants_drained;
    CREATE TABLE embed_grants_default PARTITION OF embed_grants DEFAULT;
    FOR month IN SELECT DISTINCT date_trunc('month', issued_at AT TIME ZONE 'UTC') FROM embed_grants_drained LOOP
      PERFORM embed_grants_create_partition(month);
    END LOOP;
    INSERT INTO embed_grants SELECT * FROM embed_grants_drained;
    DROP TABLE embed_grants_drained;
  END IF;
  FOR ahead IN 0..least(months_ahead, 12) LOOP
    PERFORM embed_grants_create_partition(this_month + make_interval(months => ahead));
  END LOOP;
END $$;
`;

/** A month goes as a whole when its last token ended that long ago: none lives longer than a day. */
const expire = (path: string): string => `
CREATE FUNCTION embed_grants_drop_partitions(retention_days integer) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER ${path} AS $$
DECLARE
  partition text;
  dropped integer := 0;
BEGIN
  PERFORM embed_grants_require_writer();
  IF retention_days IS NULL OR retention_days < 1 THEN
    RAISE EXCEPTION 'embed grants are kept for at least a day' USING ERRCODE = 'invalid_parameter_value';
  END IF;
  FOR partition IN
    SELECT c.relname FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
    WHERE i.inhparent = 'embed_grants'::regclass AND c.relname ~ '^embed_grants_[0-9]{6}$'
      AND (to_date(right(c.relname, 6), 'YYYYMM') + interval '1 month 1 day') AT TIME ZONE 'UTC'
        <= now() - make_interval(days => retention_days)
  LOOP
    EXECUTE format('DROP TABLE %I', partition);
    dropped := dropped + 1;
  END LOOP;
  RETURN dropped;
END $$;
`;

/** Who was handed what, by month: what is old goes without a trace of it in the tables that are in use. */
export class EmbedGrantPartitions1795700000000 implements MigrationInterface {
  readonly name = 'EmbedGrantPartitions1795700000000';

  async up(runner: QueryRunner): Promise<void> {
    const [row] = (await runner.query('SELECT quote_ident(current_schema()) AS schema')) as [
      { schema: string },
    ];
    // Fixed, so that a caller of the owner's functions cannot change what their names refer to.
    const path = `SET search_path = ${row.schema}, pg_temp`;
    await runner.query(exchange('id, issued_at', 'PARTITION BY RANGE (issued_at)'));
    await runner.query('CREATE TABLE embed_grants_default PARTITION OF embed_grants DEFAULT');
    await runner.query(copy + helpers(path) + prepare(path) + expire(path));
    await runner.query('SELECT embed_grants_prepare_partitions(2)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP FUNCTION embed_grants_drop_partitions, embed_grants_prepare_partitions, embed_grants_create_partition,
        embed_grants_require_writer;`);
    await runner.query(exchange('id', '') + copy);
  }
}
