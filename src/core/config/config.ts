import { readServerLimits } from './server-limits.config.js';
import { Environment, processVariables, type Setting } from './environment.js';
import { readHttp } from './http.config.js';
import { readAuth } from './keys.config.js';
import { userOf } from './migration.config.js';
import { type OidcConfig, readOidc } from './oidc.config.js';
import {
  type PlainConnections,
  readPlainConnections,
  requireEncryptedDatabase,
  requireHttps,
} from './plain-connections.config.js';
import { readPowerBi } from './power-bi.config.js';

const postgres = ['postgres:', 'postgresql:'];

function readDatabase(root: Environment) {
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
      min: 2,
      max: 100,
      fallback: 10,
    }),
  };
}

function readRateLimits(env: Environment) {
  const perPerson = env.integer(
    'RATE_LIMIT_API_PER_MINUTE',
    'Requests per user and minute; the limit for embed tokens is a tenth of it. 0 disables both limits',
    { min: 0, max: 1_000_000, fallback: 600 },
  );
  const perAddress = env.integer(
    'RATE_LIMIT_ADDRESS_PER_MINUTE',
    'Requests per client address and minute. Defaults to twice RATE_LIMIT_API_PER_MINUTE; 0 disables the limit',
    { min: 0, max: 2_000_000, fallback: 2 * perPerson },
  );
  return { perPerson, perAddress };
}

function readLimits(root: Environment) {
  const env = root.group('Limits');
  return {
    api: readRateLimits(env),
    signInPerAddress: env.integer(
      'RATE_LIMIT_SIGN_IN_PER_IP',
      'Sign-ins per client address in 5 minutes; 0 disables all limits of the token request that apply per address only',
      { min: 0, max: 1_000_000, fallback: 30 },
    ),
    invitationMailsPerHour: env.integer(
      'RATE_LIMIT_INVITATIONS_PER_HOUR',
      'Invitation emails per inviter and hour; 0 disables the limit',
      { min: 0, max: 1_000_000, fallback: 30 },
    ),
    redisUrl: env.optionalSecretUrl(
      'REDIS_URL',
      'Redis for rate limits that replicas share. Without Redis, sign-in attempts are counted in PostgreSQL and requests per replica',
      ['redis:', 'rediss:'],
    ),
  };
}

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

function readMail(root: Environment) {
  const env = root.group('Mail');
  return {
    smtpUrl: env.optionalSecretUrl(
      'SMTP_URL',
      'SMTP server, with user and password if required. If unset, no emails are sent and admins share links themselves',
      ['smtp:', 'smtps:'],
    ),
    from: env.string('MAIL_FROM', 'Sender of emails', 'Vitrine <vitrine@localhost>'),
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

/** Parses OpenTelemetry's header format: values are percent-encoded. */
const readHeaders = (text = ''): Record<string, string> =>
  Object.fromEntries(
    text
      .split(',')
      .map((pair) => pair.split(/=(.*)/s))
      .filter(([, value]) => value !== undefined)
      .map(([name = '', value = '']) => [name.trim(), decodeURIComponent(value.trim())]),
  );

function readObservability(root: Environment) {
  const env = root.group('Metrics and traces');
  return {
    metrics: {
      port: env.integer('METRICS_PORT', 'Port of `/metrics` for Prometheus; 0: disabled', {
        min: 0,
        max: 65_535,
        fallback: 0,
      }),
      host: env.string('METRICS_HOST', 'Address that the metrics server binds to', '127.0.0.1'),
    },
    traces: {
      endpoint: env.optionalUrl(
        'OTEL_EXPORTER_OTLP_ENDPOINT',
        'OpenTelemetry collector that receives traces over OTLP/HTTP. If unset, tracing is disabled',
        ['http:', 'https:'],
      ),
      headers: readHeaders(
        env.optionalSecret(
          'OTEL_EXPORTER_OTLP_HEADERS',
          'Headers of requests to the collector',
          '`name=value`, separated by commas',
        ),
      ),
      samplePercent: env.integer(
        'TRACE_SAMPLE_PERCENT',
        'Percentage of requests that are traced if the caller does not set the sampling flag',
        { min: 0, max: 100, fallback: 100 },
      ),
      serviceName: env.string('OTEL_SERVICE_NAME', 'Name of the service in traces', 'vitrine'),
    },
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

/** Variables of the previous release that no longer have an effect: ignored with a warning for one release. */
export const retiredSettings: readonly string[] = ['ANSWER_MEMORY_MB'];

function readConfig(env: Environment) {
  for (const name of retiredSettings) env.warnWhereSet(name);
  const http = readHttp(env);
  const database = readDatabase(env);
  const auth = readAuth(env);
  const plain = readPlainConnections(env);
  const signIn = readOidc(env, http, plain.upstreamHosts);
  checkConnections(env, { http, database, ...signIn }, plain);
  return {
    http,
    database,
    auth,
    powerBi: readPowerBi(env, plain.upstreamHosts),
    sync: readSync(env),
    embed: readEmbed(env),
    ...signIn,
    mail: readMail(env),
    limits: readLimits(env),
    serverLimits: readServerLimits(env),
    ...readRecords(env),
    ...readObservability(env),
  };
}

type Values = ReturnType<typeof readConfig>;

/** All settings, in the order of the reference. */
export function settings(): readonly Setting[] {
  const env = new Environment({});
  readConfig(env);
  return env.settings;
}

/** The complete configuration, read once at startup. Injected by class. */
export class Config implements Values {
  readonly http!: Values['http'];
  readonly serverLimits!: Values['serverLimits'];
  readonly database!: Values['database'];
  readonly auth!: Values['auth'];
  readonly limits!: Values['limits'];
  readonly oidc!: Values['oidc'];
  readonly passwordSignIn!: Values['passwordSignIn'];
  readonly breachedPasswordsUrl!: Values['breachedPasswordsUrl'];
  readonly powerBi!: Values['powerBi'];
  readonly embed!: Values['embed'];
  readonly sync!: Values['sync'];
  readonly mail!: Values['mail'];
  readonly audit!: Values['audit'];
  readonly logLevel!: Values['logLevel'];
  readonly metrics!: Values['metrics'];
  readonly traces!: Values['traces'];
  /** Warnings about ignored settings, logged at startup. */
  readonly warnings!: readonly string[];

  /** Throws ConfigError, which lists every missing or malformed variable at once. */
  static load(variables: Readonly<Record<string, string | undefined>> = processVariables()): Config {
    const env = new Environment(variables);
    const values = readConfig(env);
    env.check();
    return Object.assign(new Config(), values, { warnings: env.warnings });
  }
}
