import type { MigrationInterface, QueryRunner } from 'typeorm';

const pendingKey = (columns: string): string =>
  `CREATE UNIQUE INDEX access_requests_pending_key ON access_requests (${columns}) WHERE decided_at IS NULL`;

/** A pending request for a workspace does not suppress one for a report with the same id, or the reverse. */
export class AccessRequestTargets1798910000000 implements MigrationInterface {
  readonly name = 'AccessRequestTargets1798910000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX access_requests_pending_key');
    await runner.query(pendingKey('requester_id, target_type, target_id'));
  }

  /** Of two requests with the same id, one has a target that does not exist. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX access_requests_pending_key');
    await runner.query(
      `DELETE FROM access_requests r USING access_requests other
       WHERE r.decided_at IS NULL AND other.decided_at IS NULL AND r.id <> other.id
         AND (r.requester_id, r.target_id) = (other.requester_id, other.target_id)
         AND r.workspace_id IS NULL AND (other.workspace_id IS NOT NULL OR r.id > other.id)`,
    );
    await runner.query(pendingKey('requester_id, target_id'));
  }
}
