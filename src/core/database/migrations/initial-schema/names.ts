/**
 * Computes `name_key` without accents and with one form of each character, so that a search finds names as users type them, and
 * sorts it by the ICU root collation. At most 400 characters, because
 * an index entry is limited and some characters become 18. ASCII names take a short cut.
 */
export const foldName = String.raw`
CREATE FUNCTION fold_name(name text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN octet_length(name) = char_length(name) AND position('  ' IN name) = 0 THEN lower(name COLLATE "C") COLLATE "default"
  ELSE left(regexp_replace(translate(replace(replace(replace(replace(
    normalize(regexp_replace(lower(normalize(name, NFKD) COLLATE "und-x-icu") COLLATE "default",
      '[\u0300-\u036f\u00ad\u200b-\u200f\u2060\ufeff]', '', 'g'), NFC),
    'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th'), 'øłđðħŧıς', 'olddhtiσ'), ' +', ' ', 'g'), 400) END;
`;

/**
 * PostgreSQL's own extension, which the owner of a database may create. Where it is not installed, searches for a part of a
 * name read more. An administrator may have created it in a schema outside of the search path.
 */
export const trigrams = `
DO $$
DECLARE place text;
BEGIN
  IF NOT EXISTS (SELECT FROM pg_available_extensions WHERE name = 'pg_trgm') THEN RETURN; END IF;
  BEGIN
    CREATE EXTENSION IF NOT EXISTS pg_trgm;
  EXCEPTION WHEN OTHERS THEN
    RAISE EXCEPTION USING ERRCODE = SQLSTATE, MESSAGE = format(
      '%s. Run as an administrator of the database "%s": CREATE EXTENSION pg_trgm SCHEMA public', SQLERRM, current_database());
  END;
  SELECT extnamespace::regnamespace INTO place FROM pg_extension WHERE extname = 'pg_trgm';
  EXECUTE format('CREATE INDEX reports_name_key_trgm_idx ON reports USING gin (name_key %s.gin_trgm_ops) WHERE retired_at IS NULL', place);
  EXECUTE format('CREATE INDEX users_name_key_trgm_idx ON users USING gin ((fold_name(name) COLLATE "und-x-icu") %s.gin_trgm_ops)', place);
  EXECUTE format('CREATE INDEX users_email_trgm_idx ON users USING gin ((CASE WHEN kind = ''person'' THEN email END) %s.gin_trgm_ops)', place);
END $$;
`;
