import { Environment } from './environment.js';
import { readSecretKeys, readSigningKeys } from './keys.config.js';
import { readOidc } from './oidc.config.js';
import { readPowerBi } from './power-bi.config.js';

const postgres = ['postgres:', 'postgresql:'];

function readHttp(env: Environment) {
  const port = env.integer('PORT', 'Port of the HTTP server (0: a free one)', {
    min: 0,
    max: 65_535,
    fallback: 3000,
  });
  return {
    port,
    host: env.string('HOST', 'Address that the HTTP server binds to', '0.0.0.0'),
    publicUrl: env.url(
      'PUBLIC_URL',
      'Address that people reach the service at; links in mail and token issuer come from it only',
      ['https:', 'http:'],
      `http://localhost:${port}`,
    ),
    corsOrigins: env.list(
      'CORS_ORIGINS',
      'Origins, separated by commas, that may call the API from a browser',
    ),
    trustProxy: env.list(
      'TRUST_PROXY',
      'Addresses or networks of the proxies whose X-Forwarded-For is believed',
    ),
    docsEnabled: env.boolean('DOCS_ENABLED', 'Serve /docs and /openapi.json', false),
  };
}

function readDatabase(env: Environment) {
  const url = env.secretUrl(
    'DATABASE_URL',
    'PostgreSQL 15 or newer; may be PgBouncer in transaction mode',
    postgres,
  );
  return {
    url,
    directUrl:
      env.optionalSecretUrl(
        'DATABASE_DIRECT_URL',
        'The same database past any PgBouncer (LISTEN)',
        postgres,
      ) ?? url,
    migrationUrl: env.optionalSecretUrl(
      'DATABASE_MIGRATION_URL',
      'The same database as its owner: the service migrates at start; unset, it waits for the migration job',
      postgres,
    ),
    poolSize: env.integer('DATABASE_POOL', 'Connections of one replica', { min: 2, max: 100, fallback: 10 }),
  };
}

function readLimits(env: Environment) {
  return {
    signInPerAddress: env.integer(
      'RATE_LIMIT_SIGN_IN_PER_IP',
      'Sign-ins from one address in 5 minutes; 0 lifts every limit of the token request that is per address only',
      { min: 0, max: 1_000_000, fallback: 30 },
    ),
    invitationMailsPerHour: env.integer(
      'RATE_LIMIT_INVITATIONS_PER_HOUR',
      'Mails that one inviter causes in an hour; 0 lifts the limit',
      { min: 0, max: 1_000_000, fallback: 30 },
    ),
    redisUrl: env.optionalSecretUrl(
      'REDIS_URL',
      'Redis for limits that replicas share; unset or down, they share them through PostgreSQL',
      ['redis:', 'rediss:'],
    ),
  };
}

function readAdmin(env: Environment): { email: string; password: string } | undefined {
  const email = env.optional('ADMIN_EMAIL', 'E-mail of the first admin, made when there is no user yet');
  const password = env.optionalSecret('ADMIN_PASSWORD', 'Password of the first admin, 15 to 128 characters');
  if ((email === undefined) !== (password === undefined)) {
    env.fail(
      `${email === undefined ? 'ADMIN_EMAIL' : 'ADMIN_PASSWORD'} is missing: the first admin needs both`,
    );
  }
  return email !== undefined && password !== undefined ? { email, password } : undefined;
}

function readConfig(env: Environment) {
  const http = readHttp(env);
  const insecureHosts = env.list('INSECURE_UPSTREAM_HOSTS', 'Hosts that may be reached over plain http');
  return {
    http,
    database: readDatabase(env),
    auth: { signingKeys: readSigningKeys(env), secretKeys: readSecretKeys(env), firstAdmin: readAdmin(env) },
    limits: readLimits(env),
    ...readOidc(env, http.publicUrl, insecureHosts),
    powerBi: readPowerBi(env, insecureHosts),
    embed: {
      grantDays: env.integer(
        'EMBED_GRANT_DAYS',
        'Days for which it is kept who was issued which embed token',
        { min: 1, max: 3650, fallback: 90 },
      ),
    },
    sync: {
      intervalMinutes: env.integer(
        'SYNC_INTERVAL_MINUTES',
        'Minutes between catalogue syncs (0: on demand only)',
        {
          min: 0,
          max: 1440,
          fallback: 15,
        },
      ),
      mode: env.oneOf(
        'POWERBI_CATALOGUE',
        'What is in the catalogue: what the service principal has a role in, or the tenant by the admin API',
        ['roles', 'admin'],
        'roles',
      ),
      beforeReady: env.boolean(
        'SYNC_BEFORE_READY',
        'Be ready only after a first successful catalogue sync',
        false,
      ),
    },
    mail: {
      smtpUrl: env.optionalSecretUrl('SMTP_URL', 'SMTP server; unset, admins hand links on themselves', [
        'smtp:',
        'smtps:',
      ]),
      from: env.string('MAIL_FROM', 'Sender of mail', 'Vitrine <vitrine@localhost>'),
    },
    audit: {
      retentionDays: env.integer(
        'AUDIT_RETENTION_DAYS',
        'Days that the audit trail is kept, in whole months',
        {
          min: 90,
          max: 36_500,
          fallback: 400,
        },
      ),
    },
    logLevel: env.oneOf(
      'LOG_LEVEL',
      'Least severe level that is logged',
      ['fatal', 'error', 'warn', 'info', 'debug'],
      'info',
    ),
  };
}

type Values = ReturnType<typeof readConfig>;

/** The whole configuration, read once at start. Injected by class. */
export class Config implements Values {
  readonly http!: Values['http'];
  readonly database!: Values['database'];
  readonly auth!: Values['auth'];
  readonly limits!: Values['limits'];
  readonly oidc!: Values['oidc'];
  readonly passwordSignIn!: Values['passwordSignIn'];
  readonly powerBi!: Values['powerBi'];
  readonly embed!: Values['embed'];
  readonly sync!: Values['sync'];
  readonly mail!: Values['mail'];
  readonly audit!: Values['audit'];
  readonly logLevel!: Values['logLevel'];

  /** Throws ConfigError that names every missing or malformed variable at once. */
  static load(variables: Readonly<Record<string, string | undefined>> = process.env): Config {
    const env = new Environment(variables);
    const values = readConfig(env);
    env.check();
    return Object.assign(new Config(), values);
  }
}
