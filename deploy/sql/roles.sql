-- The role that the running service signs in as, apart from the owner that migrates. Run it in Vitrine's database, once,
-- as somebody who may make roles, with the owner of the database (the user of DATABASE_MIGRATION_URL) already there:
--
--   psql -d vitrine -f deploy/sql/roles.sql -c '\password vitrine_app'
--
-- It may read and write rows and nothing else. The rights on each table come from the migration job, which gives them to
-- the user of DATABASE_URL after every migration. Running it again changes nothing.

DO $$
BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'vitrine_app') THEN
    CREATE ROLE vitrine_app LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS;
  END IF;
  EXECUTE format('REVOKE ALL ON DATABASE %I FROM PUBLIC', current_database());
  EXECUTE format('GRANT CONNECT ON DATABASE %I TO vitrine_app', current_database());
  -- By role, not by start-up parameter: PgBouncer shares one session among many clients.
  EXECUTE format('ALTER ROLE vitrine_app IN DATABASE %I SET statement_timeout = %L', current_database(), '5s');
  EXECUTE format('ALTER ROLE vitrine_app IN DATABASE %I SET lock_timeout = %L', current_database(), '2s');
  EXECUTE format('ALTER ROLE vitrine_app IN DATABASE %I SET idle_in_transaction_session_timeout = %L',
    current_database(), '10s');
END $$;

REVOKE ALL ON SCHEMA public FROM PUBLIC;
GRANT USAGE ON SCHEMA public TO vitrine_app;
