import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Lists of people by name start in the first index when most people match. Admins see every report. */
export class UserNames1797400000000 implements MigrationInterface {
  readonly name = 'UserNames1797400000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE INDEX users_name_key_idx ON users ((lower(name COLLATE "und-x-icu") COLLATE "default"), id)`,
    );
    await runner.query(`CREATE INDEX users_admin_idx ON users (id) WHERE role = 'admin'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX users_admin_idx, users_name_key_idx');
  }
}
