import type { MigrationInterface, QueryRunner } from 'typeorm';

const audit = `
CREATE INDEX audit_events_target_id_at_id_idx ON audit_events (target_id, at, id);
CREATE INDEX audit_events_outcome_at_id_idx ON audit_events (outcome, at, id);`;

/** Each matches one kind of revocation of an embed token: `isRevoked`. */
const revocations = `
CREATE INDEX embed_revocations_user_id_idx ON embed_revocations (user_id) WHERE lifted_at IS NULL;
CREATE INDEX embed_revocations_report_id_idx ON embed_revocations (report_id)
  WHERE lifted_at IS NULL AND user_id IS NULL;
CREATE INDEX embed_revocations_workspace_id_idx ON embed_revocations (workspace_id)
  WHERE lifted_at IS NULL AND user_id IS NULL AND report_id IS NULL;`;

const cleanup = `
CREATE INDEX sessions_over_at_idx ON sessions ((coalesce(ended_at, expires_at)));
CREATE INDEX usage_tokens_hour_at_idx ON usage_tokens (hour_at);`;

/** The trigram indexes exist only if the extension does. */
const users = `
CREATE INDEX users_created_at_idx ON users (created_at, id);
DO $$ BEGIN
  IF EXISTS (SELECT FROM pg_extension WHERE extname = 'pg_trgm') THEN
    CREATE INDEX users_name_key_trgm_idx ON users USING gin ((fold_name(name) COLLATE "und-x-icu") gin_trgm_ops);
    CREATE INDEX users_email_trgm_idx ON users USING gin ((CASE WHEN kind = 'person' THEN email END) gin_trgm_ops);
  END IF;
END $$;`;

const names = [
  'audit_events_target_id_at_id_idx',
  'audit_events_outcome_at_id_idx',
  'embed_revocations_user_id_idx',
  'embed_revocations_report_id_idx',
  'embed_revocations_workspace_id_idx',
  'sessions_over_at_idx',
  'usage_tokens_hour_at_idx',
  'users_created_at_idx',
  'users_name_key_trgm_idx',
  'users_email_trgm_idx',
];

export class MissingIndexes1798740000001 implements MigrationInterface {
  readonly name = 'MissingIndexes1798740000001';

  async up(runner: QueryRunner): Promise<void> {
    for (const part of [audit, revocations, cleanup, users]) await runner.query(part);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const name of names) await runner.query(`DROP INDEX IF EXISTS ${name}`);
  }
}
