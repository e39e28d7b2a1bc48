import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The workspace, report or group that a sign-in rule named when its name was first resolved. */
export class RuleReferences1798760000000 implements MigrationInterface {
  readonly name = 'RuleReferences1798760000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE rule_references (
      kind text NOT NULL CONSTRAINT rule_references_kind_check CHECK (kind IN ('workspace', 'report', 'group')),
      reference text NOT NULL,
      bound_id uuid,
      unresolved_since timestamptz,
      CONSTRAINT rule_references_pkey PRIMARY KEY (kind, reference)
    )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE rule_references');
  }
}
