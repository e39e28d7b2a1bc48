import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Finds the expired sessions of service accounts, of which there is one for each token. */
export class ClientSessions1798870000000 implements MigrationInterface {
  readonly name = 'ClientSessions1798870000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE INDEX sessions_client_expires_at_idx ON sessions (expires_at) WHERE method = 'client' AND ended_at IS NULL`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX sessions_client_expires_at_idx');
  }
}
