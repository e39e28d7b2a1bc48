import type { MigrationInterface, QueryRunner } from 'typeorm';

const indexes = `
CREATE INDEX audit_events_target_idx ON audit_events (target_type, target_id, at);
CREATE INDEX audit_events_action_idx ON audit_events (action, at);
CREATE INDEX audit_events_request_id_idx ON audit_events (request_id);
`;

/** Refused for everybody, the owner included; a partition may be truncated by name, so each has that trigger itself. */
const appendOnly = (path: string): string => `
CREATE FUNCTION audit_refuse_change() RETURNS trigger LANGUAGE plpgsql ${path} AS $$
BEGIN
  RAISE EXCEPTION 'the audit trail is append-only' USING ERRCODE = 'insufficient_privilege';
END $$;
CREATE TRIGGER audit_events_append_only BEFORE UPDATE OR DELETE ON audit_events
  FOR EACH ROW EXECUTE FUNCTION audit_refuse_change();
CREATE TRIGGER audit_events_no_truncate BEFORE TRUNCATE ON audit_events
  FOR EACH STATEMENT EXECUTE FUNCTION audit_refuse_change();
CREATE TRIGGER audit_events_no_truncate BEFORE TRUNCATE ON audit_events_default
  FOR EACH STATEMENT EXECUTE FUNCTION audit_refuse_change();
`;

/** SECURITY DEFINER runs as the owner, so it asks for itself who is calling: those who may write the trail. */
const helpers = (path: string): string => `
CREATE FUNCTION audit_require_writer() RETURNS void LANGUAGE plpgsql ${path} AS $$
BEGIN
  IF NOT has_table_privilege(session_user, 'audit_events', 'INSERT') THEN
    RAISE EXCEPTION 'only who writes the audit trail may tend it' USING ERRCODE = 'insufficient_privilege';
  END IF;
  PERFORM pg_advisory_xact_lock(hashtext('audit_partitions'));
END $$;

CREATE FUNCTION audit_create_partition(start timestamp) RETURNS void LANGUAGE plpgsql ${path} AS $$
DECLARE
  partition text := 'audit_events_' || to_char(start, 'YYYYMM');
BEGIN
  IF to_regclass(partition) IS NOT NULL THEN RETURN; END IF;
  EXECUTE format('CREATE TABLE %I PARTITION OF audit_events FOR VALUES FROM (%L) TO (%L)', partition,
    start AT TIME ZONE 'UTC', (start + interval '1 month') AT TIME ZONE 'UTC');
  EXECUTE format('CREATE TRIGGER audit_events_no_truncate BEFORE TRUNCATE ON %I
    FOR EACH STATEMENT EXECUTE FUNCTION audit_refuse_change()', partition);
END $$;
`;

/** Rows in the default partition block the creation of the partition of their month: they move to it. */
const prepare = (path: string): string => `
CREATE FUNCTION audit_prepare_partitions(months_ahead integer) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER ${path} AS $$
DECLARE
  this_month timestamp := date_trunc('month', now() AT TIME ZONE 'UTC');
  month timestamp;
BEGIN
  PERFORM audit_require_writer();
  IF EXISTS (SELECT FROM audit_events_default) THEN
    ALTER TABLE audit_events DETACH PARTITION audit_events_default;
    ALTER TABLE audit_events_default RENAME TO audit_events_drained;
    CREATE TABLE audit_events_default PARTITION OF audit_events DEFAULT;
    CREATE TRIGGER audit_events_no_truncate BEFORE TRUNCATE ON audit_events_default
      FOR EACH STATEMENT EXECUTE FUNCTION audit_refuse_change();
    FOR month IN SELECT DISTINCT date_trunc('month', at AT TIME ZONE 'UTC') FROM audit_events_drained LOOP
      PERFORM audit_create_partition(month);
    END LOOP;
    INSERT INTO audit_events SELECT * FROM audit_events_drained;
    DROP TABLE audit_events_drained;
  END IF;
  FOR ahead IN 0..least(months_ahead, 12) LOOP
    PERFORM audit_create_partition(this_month + make_interval(months => ahead));
  END LOOP;
END $$;
`;

/** The minimum prevents an attacker who controls the service from dropping recent partitions of the trail. */
const expire = (path: string): string => `
CREATE FUNCTION audit_drop_partitions(retention_days integer) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER ${path} AS $$
DECLARE
  partition text;
  dropped integer := 0;
BEGIN
  PERFORM audit_require_writer();
  IF retention_days IS NULL OR retention_days < 90 THEN
    RAISE EXCEPTION 'the audit trail is kept for at least 90 days' USING ERRCODE = 'invalid_parameter_value';
  END IF;
  FOR partition IN
    SELECT c.relname FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
    WHERE i.inhparent = 'audit_events'::regclass AND c.relname ~ '^audit_events_[0-9]{6}$'
      AND (to_date(right(c.relname, 6), 'YYYYMM') + interval '1 month') AT TIME ZONE 'UTC'
        <= now() - make_interval(days => retention_days)
  LOOP
    EXECUTE format('DROP TABLE %I', partition);
    dropped := dropped + 1;
  END LOOP;
  RETURN dropped;
END $$;
REVOKE EXECUTE ON FUNCTION audit_require_writer(), audit_create_partition(timestamp) FROM PUBLIC;
`;

export class AuditTrail1795010000000 implements MigrationInterface {
  readonly name = 'AuditTrail1795010000000';

  async up(runner: QueryRunner): Promise<void> {
    const [row] = (await runner.query('SELECT quote_ident(current_schema()) AS schema')) as [
      { schema: string },
    ];
    // Fixed, so that a caller of the owner's functions cannot change what their names refer to.
    const path = `SET search_path = ${row.schema}, pg_temp`;
    await runner.query(indexes + appendOnly(path) + helpers(path) + prepare(path) + expire(path));
    await runner.query('SELECT audit_prepare_partitions(2)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP FUNCTION audit_drop_partitions, audit_prepare_partitions, audit_create_partition, audit_require_writer;
      DROP FUNCTION audit_refuse_change CASCADE;
      DROP INDEX audit_events_target_idx, audit_events_action_idx, audit_events_request_id_idx;`);
  }
}
