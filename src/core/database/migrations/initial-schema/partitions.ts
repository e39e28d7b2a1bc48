interface MonthlyPartitions {
  table: string;
  /** Prefix of the functions; the table when unset. */
  functions?: string;
  /** The column by which the table is partitioned. */
  time: string;
  /** Storage parameters of a partition. */
  storage?: string;
  /** Message for a role that may not write the table. */
  notWriter: string;
  /** How long after its start a month is complete. */
  lastsFor?: string;
  /** The minimum retention in days, and the message for a shorter one. */
  keptDays: number;
  keptShorter: string;
  /** Statements after the creation of a partition, and of the default partition. */
  afterCreation?: string;
  afterDefault?: string;
}

/**
 * Functions with which the role of the service, which may not create or drop tables, maintains the partitions of a table:
 * `…_prepare_partitions(months_ahead)` and `…_drop_partitions(retention_days)`. SECURITY DEFINER runs them as the owner, so they check
 * that the caller may write the table, and their search path is fixed, so that a caller cannot change what their names refer
 * to. Rows in the default partition block the creation of the partition of their month: they move to it.
 */
export function monthlyPartitions(schema: string, partitions: MonthlyPartitions): string {
  const { table, functions = table, time, storage, lastsFor = '1 month' } = partitions;
  const { notWriter, keptDays, keptShorter, afterCreation = '', afterDefault = '' } = partitions;
  // The line breaks are those of databases that earlier migrations created, so that the functions are equal.
  const options = storage === undefined ? "', partition,\n    " : ` WITH (${storage})',\n    partition, `;
  const path = `SET search_path = ${schema}, pg_temp`;
  return `
CREATE FUNCTION ${functions}_require_writer() RETURNS void LANGUAGE plpgsql ${path} AS $$
BEGIN
  IF NOT has_table_privilege(session_user, '${table}', 'INSERT') THEN
    RAISE EXCEPTION '${notWriter}' USING ERRCODE = 'insufficient_privilege';
  END IF;
  PERFORM pg_advisory_xact_lock(hashtext('${functions}_partitions'));
END $$;

CREATE FUNCTION ${functions}_create_partition(start timestamp) RETURNS void LANGUAGE plpgsql ${path} AS $$
DECLARE
  partition text := '${table}_' || to_char(start, 'YYYYMM');
BEGIN
  IF to_regclass(partition) IS NOT NULL THEN RETURN; END IF;
  EXECUTE format('CREATE TABLE %I PARTITION OF ${table} FOR VALUES FROM (%L) TO (%L)${options}start AT TIME ZONE 'UTC', (start + interval '1 month') AT TIME ZONE 'UTC');${afterCreation}
END $$;
REVOKE EXECUTE ON FUNCTION ${functions}_require_writer(), ${functions}_create_partition(timestamp) FROM PUBLIC;

CREATE FUNCTION ${functions}_prepare_partitions(months_ahead integer) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER ${path} AS $$
DECLARE
  this_month timestamp := date_trunc('month', now() AT TIME ZONE 'UTC');
  month timestamp;
BEGIN
  PERFORM ${functions}_require_writer();
  IF EXISTS (SELECT FROM ${table}_default) THEN
    ALTER TABLE ${table} DETACH PARTITION ${table}_default;
    ALTER TABLE ${table}_default RENAME TO ${table}_drained;
    CREATE TABLE ${table}_default PARTITION OF ${table} DEFAULT;${afterDefault}
    FOR month IN SELECT DISTINCT date_trunc('month', ${time} AT TIME ZONE 'UTC') FROM ${table}_drained LOOP
      PERFORM ${functions}_create_partition(month);
    END LOOP;
    INSERT INTO ${table} SELECT * FROM ${table}_drained;
    DROP TABLE ${table}_drained;
  END IF;
  FOR ahead IN 0..least(months_ahead, 12) LOOP
    PERFORM ${functions}_create_partition(this_month + make_interval(months => ahead));
  END LOOP;
END $$;

CREATE FUNCTION ${functions}_drop_partitions(retention_days integer) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER ${path} AS $$
DECLARE
  partition text;
  dropped integer := 0;
BEGIN
  PERFORM ${functions}_require_writer();
  IF retention_days IS NULL OR retention_days < ${keptDays} THEN
    RAISE EXCEPTION '${keptShorter}' USING ERRCODE = 'invalid_parameter_value';
  END IF;
  FOR partition IN
    SELECT c.relname FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
    WHERE i.inhparent = '${table}'::regclass AND c.relname ~ '^${table}_[0-9]{6}$'
      AND (to_date(right(c.relname, 6), 'YYYYMM') + interval '${lastsFor}') AT TIME ZONE 'UTC'
        <= now() - make_interval(days => retention_days)
  LOOP
    EXECUTE format('DROP TABLE %I', partition);
    dropped := dropped + 1;
  END LOOP;
  RETURN dropped;
END $$;

SELECT ${functions}_prepare_partitions(2);
`;
}
