import { Environment, processVariables } from './environment.js';
import { readInsecureDatabase, requireEncryptedDatabase } from './plain-connections.config.js';

const postgres = ['postgres:', 'postgresql:'];

/** User name of a connection string. */
export const userOf = (url: string): string | undefined =>
  (URL.canParse(url) && decodeURIComponent(new URL(url).username)) || undefined;

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
