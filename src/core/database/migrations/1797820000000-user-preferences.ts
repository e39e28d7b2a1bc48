import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Null: the language of the browser or of the organization, and the time zone of the browser or UTC. */
export class UserPreferences1797820000000 implements MigrationInterface {
  readonly name = 'UserPreferences1797820000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE users
      ADD COLUMN locale text CONSTRAINT users_locale_check CHECK (locale IN ('en', 'de')),
      ADD COLUMN time_zone text`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE users DROP COLUMN locale, DROP COLUMN time_zone');
  }
}
