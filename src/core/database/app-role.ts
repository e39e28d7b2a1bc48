import type { Client } from 'pg';

/** Default limits of the service's sessions; longer work overrides the timeouts in its own transaction. */
const limits = {
  statement_timeout: '5s',
  lock_timeout: '2s',
  idle_in_transaction_session_timeout: '10s',
  // Ends a query whose connection `AbortableClient` has closed. Last, because not every platform supports it.
  client_connection_check_interval: '100ms',
};

/**
 * Excludes what is not the owner's, such as the views of an extension, and partitions, which are written through their parent, so that the audit trail stays append-only.
 * `audit_events` and `migrations` get narrower privileges below.
 */
const tables = `
SELECT c.oid::regclass::text AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE n.nspname IN (current_schema(), 'pgboss') AND c.relkind IN ('r', 'p', 'v')
  AND pg_has_role(c.relowner, 'USAGE') AND NOT EXISTS (SELECT FROM pg_depend WHERE objid = c.oid AND deptype = 'e')
  AND (NOT c.relispartition OR n.nspname = 'pgboss') AND c.relname NOT IN ('audit_events', 'migrations')`;

/**
 * Grants row privileges to a role that is not the owner. Repeated after each migration, because tables are added and
 * dropped.
 */
async function grantRows(owner: Client, role: string): Promise<void> {
  const { rows } = await owner.query<{ name: string }>(tables);
  const { rows: schemas } = await owner.query<{ schema: string }>(
    'SELECT quote_ident(current_schema()) AS schema',
  );
  const app = owner.escapeIdentifier(role);
  const schema = schemas[0]?.schema ?? 'public';
  await owner.query(`
    GRANT USAGE ON SCHEMA ${schema}, pgboss TO ${app};
    GRANT SELECT, INSERT, UPDATE, DELETE ON ${rows.map(({ name }) => name).join(', ')} TO ${app};
    GRANT SELECT, INSERT ON audit_events TO ${app};
    GRANT SELECT ON migrations TO ${app};
    GRANT USAGE ON ALL SEQUENCES IN SCHEMA ${schema}, pgboss TO ${app}`);
}

/** Sets the default limits, except those that an operator has already set for this role in this database. */
async function setLimits(owner: Client, role: string): Promise<void> {
  const { rows } = await owner.query<{ name: string }>(
    `SELECT split_part(unnest(setconfig), '=', 1) AS name FROM pg_db_role_setting
     WHERE setrole = $1::regrole AND setdatabase = (SELECT oid FROM pg_database WHERE datname = current_database())`,
    [owner.escapeIdentifier(role)],
  );
  const { rows: names } = await owner.query<{ name: string }>(
    'SELECT quote_ident(current_database()) AS name',
  );
  const missing = Object.entries(limits).filter(([name]) => rows.every((row) => row.name !== name));
  for (const [name, value] of missing) {
    await owner.query(
      `ALTER ROLE ${owner.escapeIdentifier(role)} IN DATABASE ${names[0]?.name} SET ${name} = '${value}'`,
    );
  }
}

const INSUFFICIENT_PRIVILEGE = '42501';
/** A server on Windows does not support `client_connection_check_interval`: there `statement_timeout` is the limit. */
const INVALID_PARAMETER_VALUE = '22023';

/**
 * Grants the app role only the privileges that it needs. The owner can set limits only for itself or with
 * CREATEROLE; otherwise `deploy/sql/roles.sql` sets them, and the service logs a warning at startup if they are
 * missing. Throws Error if the role does not exist.
 */
export async function prepareAppRole(owner: Client, role: string | undefined): Promise<void> {
  const { rows } = await owner.query<{ me: string }>('SELECT current_user AS me');
  const running = role ?? rows[0]?.me ?? '';
  const { rowCount } = await owner.query('SELECT FROM pg_roles WHERE rolname = $1', [running]);
  if (rowCount === 0)
    throw new Error(`The role "${running}" does not exist in PostgreSQL: see deploy/sql/roles.sql`);
  if (running !== rows[0]?.me) await grantRows(owner, running);
  try {
    await setLimits(owner, running);
  } catch (error) {
    const { code = '' } = error as { code?: string };
    if (![INSUFFICIENT_PRIVILEGE, INVALID_PARAMETER_VALUE].includes(code)) throw error;
  }
}
