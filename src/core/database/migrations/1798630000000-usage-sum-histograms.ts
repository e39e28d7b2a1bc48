import type { MigrationInterface, QueryRunner } from 'typeorm';

const buckets = Array.from({ length: 24 }, (_, index) => index + 1);
const sumOf = (column: string): string =>
  `CASE WHEN count(${column}) > 0 THEN ARRAY[${buckets.map((index) => `sum(${column}[${index}])`).join(', ')}]::integer[] END`;

/** The opening times of reports by week and month. */
const fill = `
UPDATE usage_report_sums AS s SET render = d.render, load = d.load
FROM (
  SELECT period, date_trunc(period, day)::date AS start, report_id, by_admin, ${sumOf('render')} AS render, ${sumOf('load')} AS load
  FROM usage_report_day, unnest(ARRAY['week', 'month']) AS period GROUP BY 1, 2, 3, 4) AS d
WHERE (s.period, s.start, s.report_id, s.by_admin) = (d.period, d.start, d.report_id, d.by_admin)`;

/** Rollups wait, so that none changes a row which is already part of a sum. */
export class UsageSumHistograms1798630000000 implements MigrationInterface {
  readonly name = 'UsageSumHistograms1798630000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL lock_timeout = 0; SELECT pg_advisory_xact_lock(hashtext('usage rollup'))`);
    await runner.query(
      'ALTER TABLE usage_report_sums ADD COLUMN render integer[], ADD COLUMN load integer[]',
    );
    await runner.query(fill);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE usage_report_sums DROP COLUMN load, DROP COLUMN render');
  }
}
