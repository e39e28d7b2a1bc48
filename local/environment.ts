import { demoTenant } from '../packages/power-bi-emulator/demo-tenant.js';
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
}

/** What a local start provides itself. Set for another occasion, it must not leak into this one. */
const ours =
  /^(DATABASE|REDIS|POWERBI|SMTP|ADMIN|JWT_KEYS|SECRET_KEY|SYNC_BEFORE_READY|OIDC|PASSWORD_SIGN_IN|NODE_TLS|PORT$|HOST$)/;

/** The environment of the service: production's own variables, pointing at the parts around it. */
export function serviceEnvironment(given: NodeJS.ProcessEnv, parts: Parts): Record<string, string> {
  const others = Object.entries(given).filter(([name, value]) => value !== undefined && !ours.test(name));
  return {
    PUBLIC_URL: parts.url,
    // Reached over http from a phone or another machine, it is still for trying out.
    INSECURE_PUBLIC_URL: 'true',
    DOCS_ENABLED: 'true',
    LOG_LEVEL: 'error',
    // Its mail goes to a folder: nobody is bothered.
    RATE_LIMIT_INVITATIONS_PER_HOUR: '0',
    // No balancer has to look away first.
    SHUTDOWN_DELAY_SECONDS: '0',
    // There is no other replica that could take what this one refuses, on a machine that does other work as well.
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
    // The stand-in would otherwise remember who clicked last, and there is more than one person to be.
    OIDC_PROMPT: 'login',
    SMTP_URL: parts.smtpUrl,
    SYNC_BEFORE_READY: 'true',
  };
}

const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** The service's own variables as a shell reads them: with them the command line works on a local start too. */
export function settingsFile(environment: Readonly<Record<string, string>>): string {
  const names = settings().flatMap(({ name }) => [name, `${name}_FILE`]);
  return names
    .filter((name) => environment[name] !== undefined)
    .map((name) => `${name}=${quoted(environment[name] ?? '')}\n`)
    .join('');
}
