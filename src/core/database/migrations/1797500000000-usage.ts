import type { MigrationInterface, QueryRunner } from 'typeorm';

/** People are numbers in all other tables; without a row here a number refers to no person. */
const people = `
CREATE TABLE usage_people (
  number integer GENERATED ALWAYS AS IDENTITY CONSTRAINT usage_people_pkey PRIMARY KEY,
  person uuid NOT NULL,
  month date
);
CREATE UNIQUE INDEX usage_people_person_key ON usage_people (person);
CREATE INDEX usage_people_month_idx ON usage_people (month) WHERE month IS NOT NULL;
CREATE TABLE usage_month_keys (month date CONSTRAINT usage_month_keys_pkey PRIMARY KEY, key bytea NOT NULL);
`;

/** `seqs` contains the events that are already part of the row. */
const views = `
CREATE TABLE usage_views (
  id uuid NOT NULL,
  started_at timestamptz(3) NOT NULL,
  report_id uuid NOT NULL,
  workspace_id uuid NOT NULL,
  person integer,
  by_admin boolean NOT NULL,
  page_views integer NOT NULL,
  failures integer NOT NULL,
  visible_ms integer NOT NULL,
  load_ms integer,
  load_seq smallint,
  render_ms integer,
  render_seq smallint,
  seqs smallint[] NOT NULL,
  pages text[],
  errors text[],
  CONSTRAINT usage_views_pkey PRIMARY KEY (id, started_at)
) PARTITION BY RANGE (started_at);
CREATE TABLE usage_views_default PARTITION OF usage_views DEFAULT;
CREATE INDEX usage_views_report_id_idx ON usage_views (report_id, started_at);
CREATE INDEX usage_views_person_idx ON usage_views (person, started_at) WHERE person IS NOT NULL;
CREATE INDEX usage_views_started_at_idx ON usage_views USING brin (started_at);
`;

/** Limits of each issued token; (day, report) pairs to roll up; progress. */
const working = `
CREATE TABLE usage_tokens (
  grant_id uuid CONSTRAINT usage_tokens_pkey PRIMARY KEY,
  minute_at timestamptz(3) NOT NULL,
  events integer NOT NULL,
  hour_at timestamptz(3) NOT NULL,
  views integer NOT NULL
) WITH (fillfactor = 70);
CREATE TABLE usage_changes (
  id bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT usage_changes_pkey PRIMARY KEY,
  at timestamptz(3) NOT NULL,
  report_id uuid NOT NULL,
  noted_at timestamptz(3) NOT NULL
);
CREATE TABLE usage_state (
  id boolean CONSTRAINT usage_state_pkey PRIMARY KEY CONSTRAINT usage_state_id_check CHECK (id),
  time_zone text NOT NULL,
  rolled_at timestamptz(3) NOT NULL
);
`;

const sums = `
  views integer NOT NULL DEFAULT 0,
  issued_views integer NOT NULL DEFAULT 0,
  page_views integer NOT NULL DEFAULT 0,
  failures integer NOT NULL DEFAULT 0,
  visible_ms bigint NOT NULL DEFAULT 0,
  viewers integer NOT NULL DEFAULT 0,
  people integer[],
  render integer[],
  load integer[],
  errors jsonb`;

/**
 * `people` is null after the retention of single views; `viewers` stays. Rows of a report and day are wide: its key contains what lists
 * of reports add up. In `usage_workspace_day` the workspace 0 is the sum of all.
 */
const rollups = `
CREATE TABLE usage_report_day (
  day date NOT NULL,
  report_id uuid NOT NULL,
  by_admin boolean NOT NULL,
  workspace_id uuid NOT NULL,${sums},
  pages jsonb,
  CONSTRAINT usage_report_day_pkey PRIMARY KEY (day, report_id, by_admin)
    INCLUDE (workspace_id, views, issued_views, page_views, failures, visible_ms)
);
CREATE INDEX usage_report_day_report_id_idx ON usage_report_day (report_id, day);
CREATE TABLE usage_workspace_day (
  day date NOT NULL,
  workspace_id uuid NOT NULL,
  by_admin boolean NOT NULL,${sums},
  CONSTRAINT usage_workspace_day_pkey PRIMARY KEY (day, workspace_id, by_admin)
);
CREATE TABLE usage_report_month (
  month date NOT NULL,
  report_id uuid NOT NULL,
  by_admin boolean NOT NULL,
  workspace_id uuid NOT NULL,
  views integer NOT NULL,
  viewers integer NOT NULL,
  CONSTRAINT usage_report_month_pkey PRIMARY KEY (month, report_id, by_admin)
);
CREATE TABLE usage_active_people (
  period text NOT NULL CONSTRAINT usage_active_people_period_check CHECK (period IN ('day', 'week', 'month')),
  start date NOT NULL,
  by_admin boolean NOT NULL,
  viewers integer NOT NULL,
  people integer[],
  CONSTRAINT usage_active_people_pkey PRIMARY KEY (period, start, by_admin)
);
CREATE TABLE usage_last_views (
  report_id uuid CONSTRAINT usage_last_views_pkey PRIMARY KEY,
  last_viewed_at timestamptz(3) NOT NULL
);
`;

/** SECURITY DEFINER runs as the owner, so the function itself checks that the caller may write views. */
const helpers = (path: string): string => `
CREATE FUNCTION usage_views_require_writer() RETURNS void LANGUAGE plpgsql ${path} AS $$
BEGIN
  IF NOT has_table_privilege(session_user, 'usage_views', 'INSERT') THEN
    RAISE EXCEPTION 'the partitions of usage views require the right to write them' USING ERRCODE = 'insufficient_privilege';
  END IF;
  PERFORM pg_advisory_xact_lock(hashtext('usage_views_partitions'));
END $$;

CREATE FUNCTION usage_views_create_partition(start timestamp) RETURNS void LANGUAGE plpgsql ${path} AS $$
DECLARE
  partition text := 'usage_views_' || to_char(start, 'YYYYMM');
BEGIN
  IF to_regclass(partition) IS NOT NULL THEN RETURN; END IF;
  EXECUTE format('CREATE TABLE %I PARTITION OF usage_views FOR VALUES FROM (%L) TO (%L) WITH (fillfactor = 90)',
    partition, start AT TIME ZONE 'UTC', (start + interval '1 month') AT TIME ZONE 'UTC');
END $$;
REVOKE EXECUTE ON FUNCTION usage_views_require_writer(), usage_views_create_partition(timestamp) FROM PUBLIC;
`;

/** Rows in the default partition block the creation of the partition of their month: they move to it. */
const prepare = (path: string): string => `
CREATE FUNCTION usage_views_prepare_partitions(months_ahead integer) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER ${path} AS $$
DECLARE
  this_month timestamp := date_trunc('month', now() AT TIME ZONE 'UTC');
  month timestamp;
BEGIN
  PERFORM usage_views_require_writer();
  IF EXISTS (SELECT FROM usage_views_default) THEN
    ALTER TABLE usage_views DETACH PARTITION usage_views_default;
    ALTER TABLE usage_views_default RENAME TO usage_views_drained;
    CREATE TABLE usage_views_default PARTITION OF usage_views DEFAULT;
    FOR month IN SELECT DISTINCT date_trunc('month', started_at AT TIME ZONE 'UTC') FROM usage_views_drained LOOP
      PERFORM usage_views_create_partition(month);
    END LOOP;
    INSERT INTO usage_views SELECT * FROM usage_views_drained;
    DROP TABLE usage_views_drained;
  END IF;
  FOR ahead IN 0..least(months_ahead, 12) LOOP
    PERFORM usage_views_create_partition(this_month + make_interval(months => ahead));
  END LOOP;
END $$;
`;

const expire = (path: string): string => `
CREATE FUNCTION usage_views_drop_partitions(retention_days integer) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER ${path} AS $$
DECLARE
  partition text;
  dropped integer := 0;
BEGIN
  PERFORM usage_views_require_writer();
  IF retention_days IS NULL OR retention_days < 1 THEN
    RAISE EXCEPTION 'usage views are kept for at least a day' USING ERRCODE = 'invalid_parameter_value';
  END IF;
  FOR partition IN
    SELECT c.relname FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
    WHERE i.inhparent = 'usage_views'::regclass AND c.relname ~ '^usage_views_[0-9]{6}$'
      AND (to_date(right(c.relname, 6), 'YYYYMM') + interval '1 month') AT TIME ZONE 'UTC'
        <= now() - make_interval(days => retention_days)
  LOOP
    EXECUTE format('DROP TABLE %I', partition);
    dropped := dropped + 1;
  END LOOP;
  RETURN dropped;
END $$;
`;

export class Usage1797500000000 implements MigrationInterface {
  readonly name = 'Usage1797500000000';

  async up(runner: QueryRunner): Promise<void> {
    const [row] = (await runner.query('SELECT quote_ident(current_schema()) AS schema')) as [
      { schema: string },
    ];
    // Fixed, so that a caller of the owner's functions cannot change what their names refer to.
    const path = `SET search_path = ${row.schema}, pg_temp`;
    await runner.query(people + views + working + rollups);
    await runner.query(helpers(path) + prepare(path) + expire(path));
    await runner.query('SELECT usage_views_prepare_partitions(2)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP FUNCTION usage_views_drop_partitions, usage_views_prepare_partitions, usage_views_create_partition,
        usage_views_require_writer;
      DROP TABLE usage_last_views, usage_active_people, usage_report_month, usage_workspace_day, usage_report_day,
        usage_state, usage_changes, usage_tokens, usage_views, usage_month_keys, usage_people`);
  }
}
