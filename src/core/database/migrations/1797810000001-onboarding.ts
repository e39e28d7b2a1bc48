import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Whether the checklist for the first admins is hidden. */
export class Onboarding1797810000001 implements MigrationInterface {
  readonly name = 'Onboarding1797810000001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE onboarding (
        id smallint CONSTRAINT onboarding_pkey PRIMARY KEY CONSTRAINT onboarding_one_row CHECK (id = 1),
        dismissed_at timestamptz
      );
      INSERT INTO onboarding (id) VALUES (1);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE onboarding');
  }
}
