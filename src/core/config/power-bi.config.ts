import { createPrivateKey, X509Certificate } from 'node:crypto';
import { isUuid } from '../validation/text.js';
import { parseTime } from '../validation/times.js';
import { type Environment, web } from './environment.js';
import { requireSecure } from './plain-connections.config.js';

/** Authority, scope and API of each cloud (Microsoft, "Embed content for national clouds"). */
const clouds = {
  public: {
    authorityUrl: 'https://login.microsoftonline.com',
    scope: 'https://analysis.windows.net/powerbi/api/.default',
    apiUrl: 'https://api.powerbi.com',
    embedHost: 'app.powerbi.com',
  },
  gcc: {
    authorityUrl: 'https://login.microsoftonline.com',
    scope: 'https://analysis.usgovcloudapi.net/powerbi/api/.default',
    apiUrl: 'https://api.powerbigov.us',
    embedHost: 'app.powerbigov.us',
  },
  gcchigh: {
    authorityUrl: 'https://login.microsoftonline.us',
    scope: 'https://high.analysis.usgovcloudapi.net/powerbi/api/.default',
    apiUrl: 'https://api.high.powerbigov.us',
    embedHost: 'app.high.powerbigov.us',
  },
  dod: {
    authorityUrl: 'https://login.microsoftonline.us',
    scope: 'https://mil.analysis.usgovcloudapi.net/powerbi/api/.default',
    apiUrl: 'https://api.mil.powerbigov.us',
    embedHost: 'app.mil.powerbigov.us',
  },
  china: {
    authorityUrl: 'https://login.chinacloudapi.cn',
    scope: 'https://analysis.chinacloudapi.cn/powerbi/api/.default',
    apiUrl: 'https://api.powerbi.cn',
    embedHost: 'app.powerbi.cn',
  },
} as const;

export type PowerBiCredential =
  | { kind: 'secret'; secret: string; expiresAt?: Date }
  | { kind: 'certificate'; pem: string }
  | { kind: 'managed_identity' };

function isCertificate(pem: string): boolean {
  try {
    return new X509Certificate(pem).checkPrivateKey(createPrivateKey(pem));
  } catch {
    return false;
  }
}

function readCredential(env: Environment): PowerBiCredential {
  const auth = env.oneOf(
    'POWERBI_AUTH',
    'Authentication method for Entra',
    ['app', 'managed_identity'],
    'app',
  );
  const secret = env.optionalSecret(
    'POWERBI_CLIENT_SECRET',
    'Client secret of the app registration; not required with a certificate or a managed identity',
  );
  const expires = env.optional(
    'POWERBI_CLIENT_SECRET_EXPIRES',
    'Expiry date of the client secret: the health check and the log warn a month before',
    'date such as `2027-12-31`',
    {
      holds: (text) => /^\d{4}-\d\d-\d\d$/.test(text) && parseTime(text) !== null,
      problem: 'must be a date such as 2027-12-31',
    },
  );
  const pem = env.optionalFile(
    'POWERBI_CERTIFICATE_FILE',
    'PEM file with the private key and certificate of the app registration; recommended over a client secret',
  );
  if (auth === 'managed_identity') return { kind: 'managed_identity' };
  if (pem !== undefined) {
    if (!isCertificate(pem)) {
      env.fail('POWERBI_CERTIFICATE_FILE must contain a certificate and its private key, both as PEM');
    }
    return { kind: 'certificate', pem };
  }
  if (!env.isGiven('POWERBI_CLIENT_SECRET') && !env.isGiven('POWERBI_CERTIFICATE_FILE')) {
    env.fail('POWERBI_CLIENT_SECRET, POWERBI_CERTIFICATE_FILE or POWERBI_AUTH=managed_identity is missing');
  }
  const expiresAt = (expires && parseTime(expires)) || undefined;
  return { kind: 'secret', secret: secret ?? '', expiresAt };
}

function readProfiles(env: Environment): 'all' | string[] {
  const ids = env.list(
    'POWERBI_PROFILES',
    'Service principal profiles whose workspaces are included in the catalogue: their ids, or `all`. With `POWERBI_CATALOGUE=admin`, workspaces keep the profile of an earlier sync with `roles`; new ones have none',
  );
  if (ids.length === 1 && ids[0] === 'all') return 'all';
  if (!ids.every(isUuid)) env.fail('POWERBI_PROFILES must be `all` or ids separated by commas');
  return ids.map((id) => id.toLowerCase());
}

function readTokenLifetime(env: Environment) {
  const minimumTokenMinutes = env.integer(
    'EMBED_TOKEN_MINIMUM_MINUTES',
    'Minimum remaining lifetime of an issued embed token, in minutes',
    { min: 1, max: 50, fallback: 30 },
  );
  const maximumTokenMinutes = env.integer(
    'EMBED_TOKEN_MAXIMUM_MINUTES',
    'Longest lifetime of an embed token, in minutes: a token that was issued works until then, also after a revocation. At least EMBED_TOKEN_MINIMUM_MINUTES; a shorter one means more requests to Power BI',
    { min: 1, max: 60, fallback: 60 },
  );
  if (maximumTokenMinutes < minimumTokenMinutes)
    env.fail(
      `EMBED_TOKEN_MAXIMUM_MINUTES (${maximumTokenMinutes}) must be at least EMBED_TOKEN_MINIMUM_MINUTES (${minimumTokenMinutes})`,
    );
  return { minimumTokenMinutes, maximumTokenMinutes };
}

export function readPowerBi(root: Environment, insecureHosts: readonly string[]) {
  const env = root.group('Power BI');
  const embedding = root.group('Embedding');
  const names = Object.keys(clouds) as (keyof typeof clouds)[];
  const cloud = clouds[env.oneOf('POWERBI_CLOUD', 'Microsoft cloud of the tenant', names, 'public')];
  const apiUrl = env.url(
    'POWERBI_API_URL',
    'URL of the Power BI REST API. Defaults to that of `POWERBI_CLOUD`',
    web,
    cloud.apiUrl,
  );
  const authorityUrl = env.url(
    'POWERBI_AUTHORITY_URL',
    'URL of Entra. Defaults to that of `POWERBI_CLOUD`',
    web,
    cloud.authorityUrl,
  );
  requireSecure(env, 'POWERBI_API_URL', apiUrl, insecureHosts);
  requireSecure(env, 'POWERBI_AUTHORITY_URL', authorityUrl, insecureHosts);
  return {
    apiUrl,
    authorityUrl,
    scope: env.string(
      'POWERBI_SCOPE',
      'Scope requested from Entra. Defaults to that of `POWERBI_CLOUD`',
      cloud.scope,
    ),
    /** Allowed hosts of an embed URL. */
    embedHosts: [cloud.embedHost, ...(URL.canParse(apiUrl) ? [new URL(apiUrl).hostname] : [])],
    tenantId: env.string('POWERBI_TENANT_ID', 'Directory (tenant) id'),
    clientId: env.string('POWERBI_CLIENT_ID', 'Application (client) id of the service principal'),
    credential: readCredential(env),
    profiles: readProfiles(env),
    ...readTokenLifetime(embedding),
    sharesTokens: embedding.boolean(
      'EMBED_TOKENS_SHARED',
      'Share one embed token per report between users to whom no effective identity applies: this reduces requests to Power BI',
      false,
    ),
    auditableContext: embedding.oneOf(
      'EMBED_AUDITABLE_CONTEXT',
      "User that Power BI's audit log names when a token has an effective identity: `id` in Vitrine, or `email`",
      ['off', 'id', 'email'],
      'off',
    ),
  };
}

export type PowerBiConfig = ReturnType<typeof readPowerBi>;
