import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Views whose number has no row belong to no known person. */
const up = `
LOCK TABLE usage_people, usage_views IN SHARE ROW EXCLUSIVE MODE;
UPDATE usage_views SET person = NULL
WHERE person IS NOT NULL AND NOT EXISTS (SELECT FROM usage_people WHERE number = usage_views.person);
ALTER TABLE usage_views ADD CONSTRAINT usage_views_person_fkey FOREIGN KEY (person) REFERENCES usage_people (number)`;

export class UsagePeopleKey1798700000000 implements MigrationInterface {
  readonly name = 'UsagePeopleKey1798700000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(up);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE usage_views DROP CONSTRAINT usage_views_person_fkey');
  }
}
