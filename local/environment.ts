import { demoTenant } from '@vitrine/power-bi-emulator';
import { settings } from '../src/core/config/config.js';
import { demoRules } from './demo-people.js';
import { demoClient } from './identity-provider.js';
import type { DatabaseUrls } from './database.js';
import type { Credentials, Secrets } from './secrets.js';

export interface Parts {
  url: string;
  port: number;
  host: string;
  database: DatabaseUrls;
  powerBiUrl: string;
  issuer: string;
  smtpUrl: string;
  secrets: Secrets;
  admin: Credentials;
  hasDemoData: boolean;
}

/**
 * Variables of the service that name the parts of a local start, or that its demo requires. Those of this list also have a
 * form that reads a file.
 */
const fixed = [
  'DATABASE_URL',
  'DATABASE_DIRECT_URL',
  'DATABASE_MIGRATION_URL',
  'JWT_KEYS',
  'OIDC_CLIENT_ID',
  'OIDC_CLIENT_SECRET',
  'OIDC_ISSUER',
  'PASSWORD_SIGN_IN',
  'POWERBI_API_URL',
  'POWERBI_AUTH',
  'POWERBI_AUTHORITY_URL',
  'POWERBI_CERTIFICATE',
  'POWERBI_CLIENT_ID',
  'POWERBI_CLIENT_SECRET',
  'POWERBI_CLOUD',
  'POWERBI_SCOPE',
  'POWERBI_TENANT_ID',
  'SECRET_KEY',
  'SMTP_URL',
  'SYNC_BEFORE_READY',
  'USAGE_DEMO_NOTICE',
];
const unusable = new Set([...fixed.flatMap((name) => [name, `${name}_FILE`]), 'ADMIN_PASSWORD_FILE']);

/** Names of the variables that a local start cannot change, of those documented in `docs/configuration.md`. */
export const fixedVariables = (): string[] =>
  settings()
    .map(({ name }) => name)
    .filter((name) => unusable.has(name));

/** The shell may name the database of another project: no part of the local start gets it. */
export function ignoreDatabaseUrl(given: NodeJS.ProcessEnv, log: (line: string) => void): void {
  const names = ['DATABASE_URL', 'DATABASE_URL_FILE'];
  const ignored = names.filter((name) => given[name]?.trim());
  for (const name of names) delete given[name];
  if (ignored.length > 0) log(`"npm start" uses its own database and ignores ${ignored.join(' and ')}.`);
}

/** Throws for the other variables that a local start cannot change: ignoring them would hide a mistake. */
export function requireOnlyChangeable(given: NodeJS.ProcessEnv): void {
  const refused = Object.keys(given).filter((name) => unusable.has(name) && given[name]?.trim());
  if (refused.length === 0) return;
  throw new Error(
    `"npm start" runs its own database, Power BI emulator, identity provider and mailbox, so it cannot use ${refused
      .toSorted()
      .join(', ')}. Unset ${refused.length === 1 ? 'it' : 'them'}, or use "npm run start:prod".`,
  );
}

/** Defaults of a local start that a variable of the shell replaces, itself or in the form that reads a file. */
const unlessGiven = (
  given: NodeJS.ProcessEnv,
  defaults: Record<string, string>,
): [name: string, value: string][] =>
  Object.entries(defaults).filter(([name]) => !given[name]?.trim() && !given[`${name}_FILE`]?.trim());

/** The environment of the service: the variables of production, with the addresses of the local parts. */
export function serviceEnvironment(given: NodeJS.ProcessEnv, parts: Parts): Record<string, string> {
  // NODE_TLS_REJECT_UNAUTHORIZED is rejected by the service, and nothing here uses TLS.
  const others = Object.entries(given).filter(
    ([name, value]) => value !== undefined && !name.startsWith('NODE_TLS'),
  );
  const defaults = {
    PUBLIC_URL: parts.url,
    // Allows access over http from a phone or another machine.
    INSECURE_PUBLIC_URL: 'true',
    DOCS_ENABLED: 'true',
    LOG_LEVEL: 'error',
    // Mail is written to a folder, so no limit is needed.
    RATE_LIMIT_INVITATIONS_PER_HOUR: '0',
    // There is no load balancer that must stop routing first.
    SHUTDOWN_DELAY_SECONDS: '0',
    // No other replica could handle the rejected requests, and other programs use the machine too.
    SHED_LOOP_DELAY_MS: '0',
    SHED_LOOP_UTILIZATION_PERCENT: '100',
    OIDC_RULES: JSON.stringify(demoRules),
    // Otherwise the emulated provider signs in the previous user again, without the list of users.
    OIDC_PROMPT: 'login',
  };
  return {
    ...(Object.fromEntries(others) as Record<string, string>),
    ...Object.fromEntries(unlessGiven(given, defaults)),
    PORT: String(parts.port),
    HOST: parts.host,
    DATABASE_URL: parts.database.service,
    DATABASE_MIGRATION_URL: parts.database.owner,
    JWT_KEYS_FILE: parts.secrets.jwtKeysFile,
    SECRET_KEY: parts.secrets.secretKey,
    ADMIN_EMAIL: parts.admin.email,
    ADMIN_PASSWORD: parts.admin.password,
    POWERBI_API_URL: parts.powerBiUrl,
    POWERBI_AUTHORITY_URL: parts.powerBiUrl,
    POWERBI_TENANT_ID: demoTenant.tenantId,
    POWERBI_CLIENT_ID: demoTenant.clientId,
    POWERBI_CLIENT_SECRET: demoTenant.clientSecret,
    OIDC_ISSUER: parts.issuer,
    OIDC_CLIENT_ID: demoClient.clientId,
    OIDC_CLIENT_SECRET: demoClient.clientSecret,
    SMTP_URL: parts.smtpUrl,
    SYNC_BEFORE_READY: 'true',
    USAGE_DEMO_NOTICE: String(parts.hasDemoData),
  };
}

const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** The service's variables in shell syntax, so that the command line works with a local start. */
export function settingsFile(environment: Readonly<Record<string, string>>): string {
  const names = settings().flatMap(({ name }) => [name, `${name}_FILE`]);
  return names
    .filter((name) => environment[name] !== undefined)
    .map((name) => `${name}=${quoted(environment[name] ?? '')}\n`)
    .join('');
}
