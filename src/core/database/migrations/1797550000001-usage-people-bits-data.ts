import type { MigrationInterface, QueryRunner } from 'typeorm';

const convert = (table: string): string => `
UPDATE ${table} SET people_from = people[1] / 1024 * 1024, people_bits = ((
  SELECT string_agg(repeat('0', person - coalesce(before + 1, people[1] / 1024 * 1024)) || '1', '' ORDER BY person)
  FROM (SELECT person, lag(person) OVER (ORDER BY person) AS before FROM unnest(people) AS person) AS one)
  || repeat('0', 1023 - people[cardinality(people)] % 1024))::bit varying
WHERE (people[cardinality(people)] / 1024 + 1) * 1024 - people[1] / 1024 * 1024 <= 256 * cardinality(people)`;

const addUp = `
INSERT INTO usage_report_sums
SELECT period, date_trunc(period, day)::date, report_id, by_admin, (array_agg(workspace_id))[1], sum(views), sum(issued_views),
  sum(page_views), sum(failures), sum(visible_ms)
FROM usage_report_day, unnest(ARRAY['week', 'month']) AS period GROUP BY 1, 2, 3, 4`;

/** Converts existing figures. They can be read meanwhile; rollups wait, so that none changes a row which is already part of a sum. */
export class UsagePeopleBitsData1797550000001 implements MigrationInterface {
  readonly name = 'UsagePeopleBitsData1797550000001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL lock_timeout = 0; SELECT pg_advisory_xact_lock(hashtext('usage rollup'))`);
    await runner.query(convert('usage_report_day'));
    await runner.query(convert('usage_workspace_day'));
    await runner.query(addUp);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('TRUNCATE usage_report_sums');
  }
}
