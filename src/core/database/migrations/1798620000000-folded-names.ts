import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Computes `name_key` without accents and with one form of each character, so that a search finds names as users type them, and
 * sorts it by the ICU root collation. At most 400 characters, because
 * an index entry is limited and some characters become 18. ASCII names take a short cut.
 */
const foldName = String.raw`
CREATE FUNCTION fold_name(name text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN octet_length(name) = char_length(name) AND position('  ' IN name) = 0 THEN lower(name COLLATE "C") COLLATE "default"
  ELSE left(regexp_replace(translate(replace(replace(replace(replace(
    normalize(regexp_replace(lower(normalize(name, NFKD) COLLATE "und-x-icu") COLLATE "default",
      '[\u0300-\u036f\u00ad\u200b-\u200f\u2060\ufeff]', '', 'g'), NFC),
    'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th'), 'øłđðħŧıς', 'olddhtiσ'), ' +', ' ', 'g'), 400) END`;

const lower = 'lower(name COLLATE "und-x-icu")';
const tables = ['workspaces', 'reports', 'datasets', 'saved_views', 'groups'];

const column = (expression: string, collation: string): string =>
  `ADD COLUMN name_key text ${collation} NOT NULL GENERATED ALWAYS AS (${expression}) STORED`;

const replaceColumns = (expression: string, collation: string): string =>
  tables
    .map((table) => `ALTER TABLE ${table} DROP COLUMN name_key, ${column(expression, collation)};`)
    .join('\n');

const dropTrigger = 'DROP TRIGGER report_grants_copy_report ON reports;';
const createTrigger = `
CREATE TRIGGER report_grants_copy_report AFTER UPDATE ON reports FOR EACH ROW
  WHEN (OLD.name_key <> NEW.name_key OR (OLD.retired_at IS NULL) <> (NEW.retired_at IS NULL))
  EXECUTE FUNCTION report_grants_copy_report();`;

/** The trigram index exists only if the extension does. */
const trigrams = `
DO $$ BEGIN
  IF EXISTS (SELECT FROM pg_extension WHERE extname = 'pg_trgm') THEN
    CREATE INDEX reports_name_key_trgm_idx ON reports USING gin (name_key gin_trgm_ops) WHERE retired_at IS NULL;
  END IF;
END $$;`;

const indexes = `
CREATE INDEX workspaces_name_key_idx ON workspaces (name_key, id) WHERE retired_at IS NULL;
CREATE INDEX reports_name_key_idx ON reports (name_key, id) WHERE retired_at IS NULL;
CREATE INDEX reports_workspace_id_name_key_idx ON reports (workspace_id, name_key, id) WHERE retired_at IS NULL;
CREATE INDEX datasets_name_key_idx ON datasets (name_key, id) WHERE retired_at IS NULL;
ALTER TABLE reports ALTER COLUMN name_key SET STATISTICS 1000;
${trigrams}`;

const copies = (collation: string): string => `
ALTER TABLE report_grants ALTER COLUMN name_key TYPE text ${collation};
UPDATE report_grants SET name_key = reports.name_key FROM reports
  WHERE reports.id = report_id AND report_grants.name_key <> reports.name_key;`;

const analyze = 'ANALYZE workspaces (name_key), reports (name_key), datasets (name_key), users;';

export class FoldedNames1798620000000 implements MigrationInterface {
  readonly name = 'FoldedNames1798620000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`${foldName};
      ${dropTrigger}
      ${replaceColumns('fold_name(name)', 'COLLATE "und-x-icu"')}
      ${createTrigger}
      ${indexes}
      ${copies('COLLATE "und-x-icu"')}
      -- Two groups may differ only by an accent.
      CREATE INDEX groups_name_key_idx ON groups (name_key, id);
      CREATE UNIQUE INDEX groups_name_key_key ON groups ((${lower} COLLATE "default"));
      DROP INDEX users_name_key_idx;
      CREATE INDEX users_name_key_idx ON users ((fold_name(name) COLLATE "und-x-icu"), id);
      ${analyze}`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX users_name_key_idx, groups_name_key_key;
      ${dropTrigger}
      ${replaceColumns(lower, '')}
      ${createTrigger}
      ${indexes}
      ${copies('')}
      CREATE UNIQUE INDEX groups_name_key_key ON groups (name_key);
      CREATE INDEX users_name_key_idx ON users ((${lower} COLLATE "default"), id);
      DROP FUNCTION fold_name;
      ${analyze}`);
  }
}
