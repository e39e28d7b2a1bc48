import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The index of the table adopts those of its partitions. */
const pastMonths = `
DO $$
DECLARE
  partition regclass;
BEGIN
  FOR partition IN
    SELECT c.oid::regclass FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
    WHERE i.inhparent = 'audit_events'::regclass AND c.relname ~ '^audit_events_[0-9]{6}$'
      AND right(c.relname, 6) < to_char(now() AT TIME ZONE 'UTC', 'YYYYMM')
  LOOP
    EXECUTE format('CREATE INDEX ON %s (ip, at)', partition);
  END LOOP;
END $$`;

/** Finds the events from an address. Past months first: requests wait only for the index of the current month. */
export class AuditAddresses1798920000000 implements MigrationInterface {
  readonly name = 'AuditAddresses1798920000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(pastMonths);
    await runner.query('CREATE INDEX audit_events_ip_idx ON audit_events (ip, at)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX audit_events_ip_idx');
  }
}
