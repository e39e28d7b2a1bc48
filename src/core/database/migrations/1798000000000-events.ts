import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * `position` has the order in which events were inserted, on all replicas. `seq` is assigned after the commit, without
 * gaps; `event_sequence` has the last one, because the rows may be gone.
 */
const tables = `
CREATE SEQUENCE events_position_seq;
CREATE TABLE events (
  id uuid NOT NULL,
  seq bigint,
  position bigint NOT NULL DEFAULT nextval('events_position_seq'),
  type text NOT NULL,
  subject text NOT NULL,
  data jsonb NOT NULL,
  at timestamptz(3) NOT NULL,
  CONSTRAINT events_pkey PRIMARY KEY (at, id)
) PARTITION BY RANGE (at);
ALTER SEQUENCE events_position_seq OWNED BY events.position;
CREATE TABLE events_default PARTITION OF events DEFAULT;
CREATE INDEX events_seq_idx ON events (seq) WHERE seq IS NOT NULL;
CREATE INDEX events_unassigned_idx ON events (position) WHERE seq IS NULL;

CREATE TABLE event_sequence (
  id integer NOT NULL CONSTRAINT event_sequence_one_row_check CHECK (id = 1),
  last_seq bigint NOT NULL,
  CONSTRAINT event_sequence_pkey PRIMARY KEY (id)
);
INSERT INTO event_sequence (id, last_seq) VALUES (1, 0);
`;

const helpers = (path: string): string => `
CREATE FUNCTION events_require_writer() RETURNS void LANGUAGE plpgsql ${path} AS $$
BEGIN
  IF NOT has_table_privilege(session_user, 'events', 'INSERT') THEN
    RAISE EXCEPTION 'the partitions of events require the right to write them' USING ERRCODE = 'insufficient_privilege';
  END IF;
  PERFORM pg_advisory_xact_lock(hashtext('events_partitions'));
END $$;

CREATE FUNCTION events_create_partition(start timestamp) RETURNS void LANGUAGE plpgsql ${path} AS $$
DECLARE
  partition text := 'events_' || to_char(start, 'YYYYMM');
BEGIN
  IF to_regclass(partition) IS NOT NULL THEN RETURN; END IF;
  EXECUTE format('CREATE TABLE %I PARTITION OF events FOR VALUES FROM (%L) TO (%L)', partition,
    start AT TIME ZONE 'UTC', (start + interval '1 month') AT TIME ZONE 'UTC');
END $$;
REVOKE EXECUTE ON FUNCTION events_require_writer(), events_create_partition(timestamp) FROM PUBLIC;
`;

/** Rows in the default partition block the creation of the partition of their month: they move to it. */
const prepare = (path: string): string => `
CREATE FUNCTION events_prepare_partitions(months_ahead integer) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER ${path} AS $$
DECLARE
  this_month timestamp := date_trunc('month', now() AT TIME ZONE 'UTC');
  month timestamp;
BEGIN
  PERFORM events_require_writer();
  IF EXISTS (SELECT FROM events_default) THEN
    ALTER TABLE events DETACH PARTITION events_default;
    ALTER TABLE events_default RENAME TO events_drained;
    CREATE TABLE events_default PARTITION OF events DEFAULT;
    FOR month IN SELECT DISTINCT date_trunc('month', at AT TIME ZONE 'UTC') FROM events_drained LOOP
      PERFORM events_create_partition(month);
    END LOOP;
    INSERT INTO events SELECT * FROM events_drained;
    DROP TABLE events_drained;
  END IF;
  FOR ahead IN 0..least(months_ahead, 12) LOOP
    PERFORM events_create_partition(this_month + make_interval(months => ahead));
  END LOOP;
END $$;
`;

const expire = (path: string): string => `
CREATE FUNCTION events_drop_partitions(retention_days integer) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER ${path} AS $$
DECLARE
  partition text;
  dropped integer := 0;
BEGIN
  PERFORM events_require_writer();
  IF retention_days IS NULL OR retention_days < 1 THEN
    RAISE EXCEPTION 'events are kept for at least a day' USING ERRCODE = 'invalid_parameter_value';
  END IF;
  FOR partition IN
    SELECT c.relname FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
    WHERE i.inhparent = 'events'::regclass AND c.relname ~ '^events_[0-9]{6}$'
      AND (to_date(right(c.relname, 6), 'YYYYMM') + interval '1 month') AT TIME ZONE 'UTC'
        <= now() - make_interval(days => retention_days)
  LOOP
    EXECUTE format('DROP TABLE %I', partition);
    dropped := dropped + 1;
  END LOOP;
  RETURN dropped;
END $$;
`;

export class Events1798000000000 implements MigrationInterface {
  readonly name = 'Events1798000000000';

  async up(runner: QueryRunner): Promise<void> {
    const [row] = (await runner.query('SELECT quote_ident(current_schema()) AS schema')) as [
      { schema: string },
    ];
    // Fixed, so that a caller of the owner's functions cannot change what their names refer to.
    const path = `SET search_path = ${row.schema}, pg_temp`;
    await runner.query(tables + helpers(path) + prepare(path) + expire(path));
    await runner.query('SELECT events_prepare_partitions(2)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP FUNCTION events_drop_partitions, events_prepare_partitions, events_create_partition, events_require_writer;
      DROP TABLE events, event_sequence`);
  }
}
