import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A shared view outlives the account that created it; a private one never does. */
export class SavedViews1797620000000 implements MigrationInterface {
  readonly name = 'SavedViews1797620000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE saved_views (
        id uuid CONSTRAINT saved_views_pkey PRIMARY KEY,
        report_id uuid NOT NULL CONSTRAINT saved_views_report_id_fkey REFERENCES reports ON DELETE CASCADE,
        name text NOT NULL,
        name_key text NOT NULL GENERATED ALWAYS AS (lower(name COLLATE "und-x-icu")) STORED,
        scope text NOT NULL CONSTRAINT saved_views_scope_check CHECK (scope IN ('private', 'shared')),
        state text NOT NULL CONSTRAINT saved_views_state_check CHECK (octet_length(state) <= 65536),
        page text,
        created_by uuid CONSTRAINT saved_views_created_by_fkey REFERENCES users ON DELETE CASCADE,
        created_at timestamptz(3) NOT NULL,
        updated_at timestamptz(3) NOT NULL,
        CONSTRAINT saved_views_owner_check CHECK (scope = 'shared' OR created_by IS NOT NULL)
      );
      CREATE INDEX saved_views_report_id_idx ON saved_views (report_id, created_by);
      CREATE INDEX saved_views_created_by_idx ON saved_views (created_by);`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE saved_views');
  }
}
