import type { MigrationInterface, QueryRunner } from 'typeorm';

export class ChangeEpochs1795500000000 implements MigrationInterface {
  readonly name = 'ChangeEpochs1795500000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE change_epochs (
        topic text CONSTRAINT change_epochs_pkey PRIMARY KEY,
        epoch bigint NOT NULL
      ) WITH (fillfactor = 50)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE change_epochs');
  }
}
