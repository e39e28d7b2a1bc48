import type { MigrationInterface, QueryRunner } from 'typeorm';

export class MovedReports1795300000001 implements MigrationInterface {
  readonly name = 'MovedReports1795300000001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE INDEX reports_pbi_report_id_idx ON reports (pbi_report_id)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX reports_pbi_report_id_idx');
  }
}
