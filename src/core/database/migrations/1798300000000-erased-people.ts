import type { MigrationInterface, QueryRunner } from 'typeorm';

const erased = `SELECT id FROM users WHERE kind = 'person' AND removed_at IS NOT NULL`;

/** Removes data of people who were erased by an earlier release, which did not reach these columns. */
export class ErasedPeople1798300000000 implements MigrationInterface {
  readonly name = 'ErasedPeople1798300000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `UPDATE embed_grants SET identity = NULL, ip = NULL
       WHERE user_id IN (${erased}) AND (identity IS NOT NULL OR ip IS NOT NULL)`,
    );
    await runner.query(
      `UPDATE embed_revocations SET reason = NULL WHERE user_id IN (${erased}) AND reason IS NOT NULL`,
    );
  }

  async down(): Promise<void> {
    // Erased data does not return.
  }
}
