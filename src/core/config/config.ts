import { locales } from '../locales.js';
import { readDatabase } from './database.config.js';
import { Environment, processVariables, type Setting } from './environment.js';
import { readHttp } from './http.config.js';
import { readAuth } from './keys.config.js';
import { readLimits } from './limits.config.js';
import { readObservability } from './observability.config.js';
import { type OidcConfig, readOidc } from './oidc.config.js';
import {
  type PlainConnections,
  readPlainConnections,
  requireEncryptedDatabase,
  requireHttps,
} from './plain-connections.config.js';
import { placeholdersIn } from './placeholder.js';
import { readPowerBi } from './power-bi.config.js';
import { readServerLimits } from './server-limits.config.js';
import { unknownVariables } from './unknown-variables.js';
import { readUsage } from './usage.config.js';
import { readWebhooks } from './webhook.config.js';

function readSync(root: Environment) {
  const env = root.group('Catalogue');
  return {
    intervalMinutes: env.integer(
      'SYNC_INTERVAL_MINUTES',
      'Minutes between catalogue syncs; 0: only on demand',
      { min: 0, max: 1440, fallback: 15 },
    ),
    mode: root
      .group('Power BI')
      .oneOf(
        'POWERBI_CATALOGUE',
        'Source of the catalogue: `roles` reads the workspaces in which the service principal has a role, `admin` reads the whole tenant through the admin API',
        ['roles', 'admin'],
        'roles',
      ),
    beforeReady: env.boolean(
      'SYNC_BEFORE_READY',
      'Report ready only after the first successful catalogue sync',
      false,
    ),
  };
}

function readEmbed(root: Environment) {
  const env = root.group('Embedding');
  return {
    grantDays: env.integer('EMBED_GRANT_DAYS', 'Retention of issued embed tokens, in days', {
      min: 1,
      max: 3650,
      fallback: 90,
    }),
  };
}

function readExports(root: Environment) {
  const env = root.group('Export');
  return {
    hours: env.integer('EXPORT_HOURS', 'Retention of exported files, in hours', {
      min: 1,
      max: 24,
      fallback: 24,
    }),
    maxMegabytes: env.integer(
      'EXPORT_MAX_MB',
      'Size limit of an exported file, in megabytes; files are stored encrypted in the database',
      { min: 1, max: 250, fallback: 100 },
    ),
    perCapacity: env.integer(
      'EXPORT_PER_CAPACITY',
      'Exports that run at the same time on one Power BI capacity; others wait',
      { min: 1, max: 500, fallback: 5 },
    ),
  };
}

/** Provisioning by an identity provider. */
function readScim(root: Environment) {
  const env = root.group('Provisioning (SCIM)');
  return {
    eraseAfterDays: env.integer(
      'SCIM_ERASE_AFTER_DAYS',
      'Days until the personal data of a person whom SCIM deleted is erased; 0: only by an admin',
      { min: 0, max: 3650, fallback: 30 },
    ),
  };
}

function readMail(root: Environment) {
  const env = root.group('Mail');
  return {
    smtpUrl: env.optionalSecretUrl(
      'SMTP_URL',
      'SMTP server, with user and password if required. If unset, no emails are sent and admins share links themselves',
      ['smtp:', 'smtps:'],
    ),
    from: env.string('MAIL_FROM', 'Sender of emails', 'Vitrine <vitrine@localhost>'),
    defaultLocale: env.oneOf(
      'DEFAULT_LOCALE',
      'Language of emails to people who have not chosen one, such as invitations',
      locales,
      'en',
    ),
  };
}

function readRecords(root: Environment) {
  const env = root.group('Audit trail and log');
  return {
    audit: {
      retentionDays: env.integer(
        'AUDIT_RETENTION_DAYS',
        'Retention of the audit trail, in days; deleted in whole months',
        { min: 90, max: 36_500, fallback: 400 },
      ),
    },
    logLevel: env.oneOf(
      'LOG_LEVEL',
      'Minimum log level',
      ['fatal', 'error', 'warn', 'info', 'debug'],
      'info',
    ),
  };
}

interface Connections {
  http: ReturnType<typeof readHttp>;
  database: ReturnType<typeof readDatabase>;
  oidc: OidcConfig | undefined;
}

function checkConnections(
  env: Environment,
  { http, database, oidc }: Connections,
  plain: PlainConnections,
): void {
  const { url, directUrl, migrationUrl } = database;
  const urls = {
    DATABASE_URL: url,
    DATABASE_DIRECT_URL: directUrl === url ? undefined : directUrl,
    DATABASE_MIGRATION_URL: migrationUrl,
  };
  requireEncryptedDatabase(env, urls, plain.database);
  requireHttps(env, 'PUBLIC_URL', [http.publicUrl], plain);
  const returnUrls = oidc?.returnUrls.filter((each) => each !== http.publicUrl) ?? [];
  requireHttps(env, 'OIDC_RETURN_URLS', returnUrls, plain);
}

function warnOfAdminWithoutSignIn(env: Environment, hasFirstAdmin: boolean, passwordSignIn: boolean): void {
  if (!hasFirstAdmin || passwordSignIn) return;
  env.warnings.push(
    'With PASSWORD_SIGN_IN=false the admin that ADMIN_EMAIL creates cannot sign in: remove ADMIN_EMAIL and ADMIN_PASSWORD, and see docs/sign-in.md for the first admin',
  );
}

/** Variables of the previous release that no longer have an effect: ignored with a warning for one release. */
const retiredSettings: readonly string[] = ['ANSWER_MEMORY_MB'];

function readConfig(env: Environment) {
  for (const name of retiredSettings) env.warnWhereSet(name);
  const http = readHttp(env);
  const database = readDatabase(env);
  const auth = readAuth(env);
  const plain = readPlainConnections(env);
  const signIn = readOidc(env, http, plain.upstreamHosts);
  checkConnections(env, { http, database, ...signIn }, plain);
  warnOfAdminWithoutSignIn(env, auth.firstAdmin !== undefined, signIn.passwordSignIn);
  return {
    http,
    database,
    auth,
    powerBi: readPowerBi(env, plain.upstreamHosts),
    sync: readSync(env),
    embed: readEmbed(env),
    exports: readExports(env),
    usage: readUsage(env),
    webhooks: readWebhooks(env),
    scim: readScim(env),
    ...signIn,
    mail: readMail(env),
    limits: readLimits(env),
    serverLimits: readServerLimits(env),
    ...readRecords(env),
    ...readObservability(env),
  };
}

/** All settings, in the order of the reference. */
export function settings(): readonly Setting[] {
  const env = new Environment({});
  readConfig(env);
  return env.settings;
}

/** Gives Config the types of the settings; `load` assigns their values. */
const Settings = class {} as new () => Readonly<ReturnType<typeof readConfig>>;

/** The complete configuration, read once at startup. Injected by class. */
export class Config extends Settings {
  /** Warnings about variables without the intended effect, logged at startup. */
  readonly warnings!: readonly string[];

  /** Throws ConfigError, which lists every missing or malformed variable at once. */
  static load(variables: Readonly<Record<string, string | undefined>> = processVariables()): Config {
    const env = new Environment(variables);
    const values = readConfig(env);
    for (const name of env.isProduction ? placeholdersIn(variables, settings()) : [])
      env.fail(`${name} is a placeholder: set your own value`);
    env.check();
    const warnings = [...env.warnings, ...unknownVariables(Object.keys(variables), settings())];
    return Object.assign(new Config(), values, { warnings });
  }
}
