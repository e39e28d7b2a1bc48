import { MIN_POOL } from '../database/connection-shares.js';
import { Environment, processVariables } from './environment.js';
import { decoded } from './percent-encoding.js';
import { readInsecureDatabase, requireEncryptedDatabase } from './plain-connections.config.js';

const postgres = ['postgres:', 'postgresql:'];

/** User name of a connection string. */
const userOf = (url: string): string | undefined =>
  (URL.canParse(url) && decoded(new URL(url).username)) || undefined;

export function readDatabase(root: Environment) {
  const env = root.group('Database');
  const url = env.secretUrl(
    'DATABASE_URL',
    'PostgreSQL 15 or later, directly or through PgBouncer in transaction mode',
    postgres,
  );
  const directUrl = env.optionalSecretUrl(
    'DATABASE_DIRECT_URL',
    'Direct connection to the same database, bypassing PgBouncer, for `LISTEN`: one connection per replica. Defaults to `DATABASE_URL`',
    postgres,
  );
  return {
    url,
    runningRole: userOf(url),
    directUrl: directUrl ?? url,
    prepares: env.boolean(
      'DATABASE_PREPARED_STATEMENTS',
      'Use named prepared statements on `DATABASE_URL`. PgBouncer supports them from version 1.21 with `max_prepared_statements`. Defaults to `true` if `DATABASE_DIRECT_URL` is not set, otherwise `false`',
      directUrl === undefined,
    ),
    migrationUrl: env.optionalSecretUrl(
      'DATABASE_MIGRATION_URL',
      'Direct connection to the same database as its owner. If set, the service runs migrations at startup; otherwise it waits for the migration job',
      postgres,
    ),
    poolSize: env.integer('DATABASE_POOL', 'Database connections per replica for requests; jobs use 3 more', {
      min: MIN_POOL,
      max: 100,
      fallback: 10,
    }),
  };
}

/** Reads only the variables that the migration job needs. Throws ConfigError. */
export function loadMigration(variables: Readonly<Record<string, string | undefined>> = processVariables()): {
  url: string;
  runningRole?: string;
} {
  const env = new Environment(variables);
  const url = env.secretUrl('DATABASE_MIGRATION_URL', 'Database URL of the owner', postgres);
  const serviceUrl = env.optionalSecretUrl('DATABASE_URL', 'Database URL of the service', postgres);
  const urls = { DATABASE_MIGRATION_URL: url, DATABASE_URL: serviceUrl };
  requireEncryptedDatabase(env, urls, readInsecureDatabase(env));
  env.check();
  return { url, runningRole: serviceUrl && userOf(serviceUrl) };
}
