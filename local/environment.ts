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

/** Variables that a local start sets itself; values from the shell are ignored. */
const ours =
  /^(DATABASE|REDIS|POWERBI|SMTP|ADMIN|JWT_KEYS|SECRET_KEY|SYNC_BEFORE_READY|OIDC|PASSWORD_SIGN_IN|NODE_TLS|USAGE_DEMO_NOTICE|PORT$|HOST$)/;

/** The environment of the service: the variables of production, with the addresses of the local parts. */
export function serviceEnvironment(given: NodeJS.ProcessEnv, parts: Parts): Record<string, string> {
  const others = Object.entries(given).filter(([name, value]) => value !== undefined && !ours.test(name));
  return {
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
    ...(Object.fromEntries(others) as Record<string, string>),
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
    OIDC_RULES: JSON.stringify(demoRules),
    // Otherwise the emulated provider signs in the previous user again, without the list of users.
    OIDC_PROMPT: 'login',
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
