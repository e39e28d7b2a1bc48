\set ON_ERROR_STOP on
-- The role that reads usage figures from the schema "reporting", and nothing else. Run it with psql in Vitrine's database, as a
-- superuser or as a role with CREATEROLE that owns the database, after the migration, and again after a restore:
--
--   runuser -u postgres -- psql -d vitrine -f deploy/sql/reporting.sql

DO $$
BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'vitrine_reporting') THEN
    CREATE ROLE vitrine_reporting NOLOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS;
  END IF;
  EXECUTE format('GRANT CONNECT ON DATABASE %I TO vitrine_reporting', current_database());
  GRANT USAGE ON SCHEMA reporting TO vitrine_reporting;
  GRANT SELECT ON ALL TABLES IN SCHEMA reporting TO vitrine_reporting;
  IF NOT has_table_privilege('vitrine_reporting', 'reporting.report_days', 'SELECT')
    OR has_table_privilege('vitrine_reporting', 'public.usage_views', 'SELECT') THEN
    RAISE EXCEPTION 'The rights of vitrine_reporting were not set: run this file as a superuser';
  END IF;
END $$;
