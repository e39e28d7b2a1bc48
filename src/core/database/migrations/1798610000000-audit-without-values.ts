import type { MigrationInterface, QueryRunner } from 'typeorm';

const personal = `ARRAY['email', 'name', 'user_name', 'external_id', 'given_name', 'family_name', 'attributes', 'locale', 'time_zone']`;

/**
 * The trail no longer contains values of people, because it is append-only and outlasts an erasure: what was written
 * before is reduced to the names of the fields, and loses the reasons of revocations, which `embed_revocations` contains.
 */
export class AuditWithoutValues1798610000000 implements MigrationInterface {
  readonly name = 'AuditWithoutValues1798610000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE audit_events DISABLE TRIGGER audit_events_append_only');
    await runner.query(
      `UPDATE audit_events SET details = jsonb_strip_nulls((details - 'diff') || jsonb_build_object(
         'diff', (SELECT jsonb_object_agg(key, value) FROM jsonb_each(details->'diff') WHERE key <> ALL(${personal})),
         'changed', (SELECT jsonb_agg(key ORDER BY key) FROM jsonb_each(details->'diff') WHERE key = ANY(${personal}))))
       WHERE action IN ('user_changed', 'user_disabled') AND details->'diff' ?| ${personal}`,
    );
    await runner.query(
      `UPDATE audit_events SET details = details - 'reason' WHERE action = 'embed_access_revoked' AND details ? 'reason'`,
    );
    await runner.query('ALTER TABLE audit_events ENABLE TRIGGER audit_events_append_only');
  }

  async down(): Promise<void> {
    // The values do not return.
  }
}
