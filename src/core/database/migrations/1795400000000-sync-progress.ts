import type { MigrationInterface, QueryRunner } from 'typeorm';

export class SyncProgress1795400000000 implements MigrationInterface {
  readonly name = 'SyncProgress1795400000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE sync_runs ADD COLUMN workspaces_done integer NOT NULL DEFAULT 0, ADD COLUMN workspaces_total integer;
      UPDATE sync_runs SET workspaces_done = workspaces_seen, workspaces_total = workspaces_seen
        WHERE status IN ('succeeded', 'partial')`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE sync_runs DROP COLUMN workspaces_total, DROP COLUMN workspaces_done');
  }
}
