\set ON_ERROR_STOP on
-- The role that the running service signs in as, apart from the owner that migrates. It reads and writes rows, nothing else.
-- Run it with psql in Vitrine's database, after the owner of that database exists, as a superuser, or as that owner where
-- it has CREATEROLE:
--
--   runuser -u postgres -- psql -d vitrine -f deploy/sql/roles.sql -c '\password vitrine_app'
--
-- The rights on each table come from the migration job, which grants them to the user of DATABASE_URL after every
-- migration. Running the file again sets the rights and limits below, and nothing else. It fails, and changes nothing, when the role that runs it cannot do
-- all of it: PostgreSQL itself only warns about a GRANT without effect.

DO $$
DECLARE
  database name := current_database();
  owner oid := (SELECT datdba FROM pg_database WHERE datname = current_database());
  self pg_roles := (SELECT r FROM pg_roles r WHERE rolname = current_user);
BEGIN
  IF database IN ('postgres', 'template0', 'template1') THEN
    RAISE EXCEPTION 'roles.sql runs in the database of Vitrine, not in "%": pass -d vitrine to psql', database;
  END IF;
  IF NOT (self.rolsuper OR self.rolcreaterole AND pg_has_role(owner, 'USAGE')) THEN
    RAISE EXCEPTION 'roles.sql runs as a superuser, or as the owner of the database with CREATEROLE: "%" is neither',
      current_user;
  END IF;
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'vitrine_app') THEN
    CREATE ROLE vitrine_app LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS;
  END IF;
  EXECUTE format('REVOKE ALL ON DATABASE %I FROM PUBLIC', database);
  EXECUTE format('GRANT CONNECT ON DATABASE %I TO vitrine_app', database);
  REVOKE ALL ON SCHEMA public FROM PUBLIC;
  GRANT USAGE ON SCHEMA public TO vitrine_app;
  -- By role, not by start-up parameter: PgBouncer shares one session among many clients.
  EXECUTE format('ALTER ROLE vitrine_app IN DATABASE %I SET statement_timeout = %L', database, '5s');
  EXECUTE format('ALTER ROLE vitrine_app IN DATABASE %I SET lock_timeout = %L', database, '2s');
  EXECUTE format('ALTER ROLE vitrine_app IN DATABASE %I SET idle_in_transaction_session_timeout = %L', database, '10s');
  -- Ends the statement of a request that was abandoned: the service closes its connection.
  EXECUTE format('ALTER ROLE vitrine_app IN DATABASE %I SET client_connection_check_interval = %L', database, '100ms');
  IF NOT has_schema_privilege('vitrine_app', 'public', 'USAGE')
    OR has_schema_privilege('vitrine_app', 'public', 'CREATE')
    OR has_database_privilege('vitrine_app', database, 'TEMPORARY') THEN
    RAISE EXCEPTION 'The rights of vitrine_app were not set: check who owns the schema "public" and what vitrine_app is a member of';
  END IF;
END $$;
