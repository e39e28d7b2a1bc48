import { randomBytes, generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import { Config, settings } from './config.js';
import { ConfigError } from './environment.js';

const folder = mkdtempSync(join(tmpdir(), 'vitrine-config-'));
const file = (name: string, content: string): string => {
  writeFileSync(join(folder, name), content);
  return join(folder, name);
};
const jwkOf = (modulusLength: number) => ({
  ...generateKeyPairSync('rsa', { modulusLength }).privateKey.export({ format: 'jwk' }),
  kid: 'k',
});
const good = {
  DATABASE_URL: 'postgres://vitrine:hunter2@db/vitrine',
  JWT_KEYS_FILE: file('keys.json', JSON.stringify({ keys: [jwkOf(2048)] })),
  SECRET_KEY: randomBytes(32).toString('base64url'),
  POWERBI_TENANT_ID: 'tenant',
  POWERBI_CLIENT_ID: 'client',
  POWERBI_CLIENT_SECRET: 'secret',
};
/** What a production start needs beside the good settings. */
const secure = {
  NODE_ENV: 'production',
  PUBLIC_URL: 'https://reports.example.com',
  DATABASE_URL: `${good.DATABASE_URL}?sslmode=verify-full`,
  POWERBI_CLIENT_SECRET: randomBytes(24).toString('base64url'),
};
test('a removed setting is ignored with a warning, whatever its value', () => {
  expect(Config.load({ ...good, ANSWER_MEMORY_MB: 'x' }).warnings).toEqual([
    'ANSWER_MEMORY_MB has no effect and can be removed: see CHANGELOG.md',
  ]);
  expect(Config.load(good).warnings).toEqual([]);
  expect(settings().map(({ name }) => name)).not.toContain('ANSWER_MEMORY_MB');
});

test('an admin with a password is warned of where no password is accepted', () => {
  const admin = { ADMIN_EMAIL: 'ada@example.org', ADMIN_PASSWORD: 'plum harbour violet thirteen' };
  const provider = { OIDC_ISSUER: 'https://id.example.com', OIDC_CLIENT_ID: 'x' };
  const warningsOf = (variables: object) => Config.load({ ...good, ...provider, ...variables }).warnings;
  expect(warningsOf({ ...admin, PASSWORD_SIGN_IN: 'false' })).toEqual([
    expect.stringContaining('the admin that ADMIN_EMAIL creates cannot sign in'),
  ]);
  expect(warningsOf({ PASSWORD_SIGN_IN: 'false' })).toEqual([]);
  expect(warningsOf(admin)).toEqual([]);
});

test.each([
  ['DATABSE_POOL', 'DATABASE_POOL'],
  ['POWERBI_CLIENTSECRET', 'POWERBI_CLIENT_SECRET'],
  ['OIDC_CLIENT_SECERT_FILE', 'OIDC_CLIENT_SECRET_FILE'],
  ['USAGE_RAWDAYS', 'USAGE_RAW_DAYS'],
  ['LOG_LEVLE', 'LOG_LEVEL'],
])('a variable that looks like a setting is named with the setting: %s', (name, nearest) => {
  expect(Config.load({ ...good, [name]: '1' }).warnings).toEqual([
    `${name} is not a setting and has no effect: did you mean ${nearest}?`,
  ]);
});

test('variables of other programs, of Kubernetes and of the local start are not mistaken for settings', () => {
  const others =
    'HOME HOSTNAME PATH LANGUAGE NODE_OPTIONS npm_config_cache OTEL_RESOURCE_ATTRIBUTES ' +
    'REDIS_SERVICE_HOST REDIS_PORT_6379_TCP VITRINE_SERVICE_PORT_HTTP POSTGRES_PASSWORD PGPASSWORD ' +
    'DATA_DIR DEMO_DATA EMULATOR_PORT SECRET_KEY_FILE DATABASE_URL_FILE';
  const given = { ...Object.fromEntries(others.split(' ').map((name) => [name, ''])), ...good };
  expect(Config.load(given).warnings).toEqual([]);
});

const problemsOf = (variables: Record<string, string | undefined>): readonly string[] => {
  try {
    Config.load({ ...good, ...variables });
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
};

describe('Config.load', () => {
  test('CFG-01: every missing variable is reported at once', () => {
    expect(() => Config.load({})).toThrow(ConfigError);
    const problems = problemsOf(Object.fromEntries(Object.keys(good).map((name) => [name, undefined])));
    expect(problems).toEqual([
      'DATABASE_URL is missing',
      'JWT_KEYS_FILE is missing',
      'SECRET_KEY is missing',
      'POWERBI_TENANT_ID is missing',
      'POWERBI_CLIENT_ID is missing',
      'POWERBI_CLIENT_SECRET, POWERBI_CERTIFICATE_FILE or POWERBI_AUTH=managed_identity is missing',
    ]);
  });

  test('CFG-01: malformed variables are named, their values are not printed', () => {
    const wrong = {
      PORT: '1e3',
      DATABASE_URL: 'mysql://root:topsecret@db',
      SECRET_KEY: 'dG9wc2VjcmV0',
      POWERBI_CLOUD: 'topsecret',
      LOG_LEVEL: 'loud',
      ADMIN_EMAIL: 'topsecret@example.com',
    };
    const problems = problemsOf(wrong);
    expect(problems.map((problem) => problem.split(' ')[0])).toEqual([
      'PORT',
      'DATABASE_URL',
      'SECRET_KEY',
      'ADMIN_PASSWORD',
      'POWERBI_CLOUD',
      'LOG_LEVEL',
    ]);
    expect(problems.join('\n')).not.toContain('topsecret');
  });

  test.each([
    ['SMTP_URL', 'smtps://u:100%sure@mail'],
    ['REDIS_URL', 'rediss://u:100%sure@redis'],
    ['DATABASE_URL', 'postgres://u%:hunter2@db.example.com/vitrine?sslmode=verify-full'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'a=%'],
  ])('CFG-01: %s that is not percent-encoded is named, its value is not printed', (name, value) => {
    const problems = problemsOf({ ...secure, [name]: value });
    expect(problems).toEqual([expect.stringMatching(`^${name} has a .* not percent-encoded`)]);
    expect(problems.join()).not.toContain(value);
    expect(problemsOf({ ...secure, [name]: value.replace('%', '%25') })).toEqual([]);
  });

  test('CFG-03: a secret can be read from a file', () => {
    const { DATABASE_URL, ...rest } = good;
    const config = Config.load({ ...rest, DATABASE_URL_FILE: file('url', `${DATABASE_URL}\n`) });
    expect(config.database.url).toBe(DATABASE_URL);
    expect(problemsOf({ SECRET_KEY: undefined, SECRET_KEY_FILE: '/nowhere' })[0]).toContain(
      'SECRET_KEY_FILE',
    );
  });

  test('CFG-02: sample secrets from the documentation are refused by name in production', () => {
    const samples = {
      DATABASE_URL: 'postgres://vitrine:password@db.example.com/vitrine?sslmode=verify-full',
      SECRET_KEY: 'A'.repeat(43),
      ADMIN_EMAIL: 'ada@example.com',
      ADMIN_PASSWORD: '<admin password>',
      POWERBI_CLIENT_SECRET: 'changeme',
    };
    const production = problemsOf({ ...samples, NODE_ENV: 'production' });
    expect(production.map((problem) => problem.split(' ')[0])).toEqual([
      'DATABASE_URL',
      'SECRET_KEY',
      'ADMIN_PASSWORD',
      'POWERBI_CLIENT_SECRET',
    ]);
    expect(problemsOf(samples)).toEqual([]);
    const own = { POWERBI_CLIENT_SECRET: randomBytes(24).toString('base64') };
    expect(problemsOf({ ...own, ...secure })).toEqual([]);
  });

  test('CFG-03: every secret can be read from a file', () => {
    const secrets = settings().filter(({ secret }) => secret);
    expect(secrets.length).toBeGreaterThan(8);
    for (const { name } of secrets) {
      const named = { [name]: undefined, [`${name}_FILE`]: '/nowhere' };
      // The identity provider's are read where there is one.
      const provider = name.startsWith('OIDC')
        ? { OIDC_ISSUER: 'https://id.example.com', OIDC_CLIENT_ID: 'x' }
        : {};
      expect([name, problemsOf({ ...provider, ...named }).join()]).toEqual([
        name,
        expect.stringContaining(`${name}_FILE refers to a file that cannot be read`),
      ]);
    }
  });

  test.each([
    ['SECRET_KEY', 'SECRET_KEY_FILE'],
    ['DATABASE_URL', 'DATABASE_URL_FILE'],
    ['POWERBI_CLIENT_SECRET', 'POWERBI_CLIENT_SECRET_FILE'],
    ['POWERBI_CLIENT_SECRET', 'POWERBI_CERTIFICATE_FILE'],
  ])('CFG-03: an unreadable or empty file is reported once: %s by %s', (name, variable) => {
    const reported = (path: string) => problemsOf({ [name]: undefined, [variable]: path });
    expect(reported('/nowhere')).toEqual([`${variable} refers to a file that cannot be read (ENOENT)`]);
    expect(reported(file('empty', ' \n'))).toEqual([`${variable} refers to an empty file`]);
  });

  test('CFG-03: an unreadable password of the first admin is reported once', () => {
    expect(problemsOf({ ADMIN_EMAIL: 'ada@example.org', ADMIN_PASSWORD_FILE: '/nowhere' })).toEqual([
      'ADMIN_PASSWORD_FILE refers to a file that cannot be read (ENOENT)',
    ]);
  });

  test.each([
    ['POWERBI_TENANT_ID', '00000000-0000-0000-0000-000000000000'],
    ['POWERBI_CLIENT_ID', 'your-client-id'],
    ['POWERBI_CLIENT_ID', '<client id>'],
    ['POWERBI_TENANT_ID', '...'],
    ['MAIL_FROM', '<address>'],
  ])('in production %s=%s is refused as a placeholder', (name, value) => {
    expect(problemsOf({ ...secure, [name]: value })).toEqual([
      `${name} is a placeholder: set your own value`,
    ]);
    expect(problemsOf({ NODE_ENV: 'development', [name]: value })).toEqual([]);
  });

  test('the longest lifetime of embed tokens is not below the promised one', () => {
    expect(problemsOf({ EMBED_TOKEN_MAXIMUM_MINUTES: '15' })).toEqual([
      'EMBED_TOKEN_MAXIMUM_MINUTES (15) must be at least EMBED_TOKEN_MINIMUM_MINUTES (30)',
    ]);
    expect(problemsOf({ EMBED_TOKEN_MAXIMUM_MINUTES: '15', EMBED_TOKEN_MINIMUM_MINUTES: '15' })).toEqual([]);
  });

  test('every value of deploy/vitrine.env.example that has to be replaced is refused in production', () => {
    const example = parseEnv(readFileSync('deploy/vitrine.env.example', 'utf8'));
    const shown = ['ADMIN_EMAIL', 'POWERBI_TENANT_ID', 'POWERBI_CLIENT_ID'];
    for (const name of shown) {
      const more = name === 'ADMIN_EMAIL' ? { ADMIN_PASSWORD: randomBytes(18).toString('base64url') } : {};
      expect(problemsOf({ ...secure, ...more, [name]: example[name] })).toEqual([
        `${name} is a placeholder: set your own value`,
      ]);
    }
  });

  test('a certificate in a variable instead of a file is no credential', () => {
    expect(problemsOf({ POWERBI_CLIENT_SECRET: undefined, POWERBI_CERTIFICATE: 'x' })).toEqual([
      'POWERBI_CLIENT_SECRET, POWERBI_CERTIFICATE_FILE or POWERBI_AUTH=managed_identity is missing',
    ]);
  });

  test('an unreadable key file is named', () => {
    expect(problemsOf({ JWT_KEYS_FILE: '/nowhere' }).join()).toContain(
      'JWT_KEYS_FILE refers to a file that cannot be read (ENOENT)',
    );
  });

  test('JWT-12: keys that are too short are refused', () => {
    expect(problemsOf({ SECRET_KEY: randomBytes(31).toString('base64url') })).toHaveLength(1);
    const short = file('short.json', JSON.stringify({ keys: [jwkOf(1024)] }));
    expect(problemsOf({ JWT_KEYS_FILE: short })[0]).toContain('2048 bits');
    expect(problemsOf({ SECRET_KEY: `${good.SECRET_KEY},short` })).toHaveLength(1);
  });

  test('OUT-11: plain http is allowed only to loopback and to listed hosts', () => {
    const POWERBI_API_URL = 'http://power-bi.internal';
    expect(problemsOf({ POWERBI_API_URL })[0]).toContain('POWERBI_API_URL must use https');
    expect(problemsOf({ POWERBI_API_URL, INSECURE_UPSTREAM_HOSTS: 'power-bi.internal' })).toEqual([]);
    expect(problemsOf({ POWERBI_API_URL: 'http://127.0.0.1:8080' })).toEqual([]);
  });

  test.each([
    ['https://Reports.Example.com:443/Data/', 'https://reports.example.com/Data'],
    ['http://localhost:80', 'http://localhost'],
    ['https://müller.example', 'https://xn--mller-kva.example'],
  ])('PUBLIC_URL=%s counts as browsers write it', (PUBLIC_URL, expected) => {
    expect(Config.load({ ...good, PUBLIC_URL }).http.publicUrl).toBe(expected);
  });

  test.each(['?a=b', '?', '#x', '/reports#'])('PUBLIC_URL with %s is refused', (end) => {
    const message = expect.stringMatching(/^PUBLIC_URL must be .*such as https:.*without a user, query or/);
    expect(problemsOf({ PUBLIC_URL: `https://reports.example.com${end}` })).toEqual([message]);
    expect(problemsOf({ PUBLIC_URL: 'https://ada@reports.example.com' })).toEqual([message]);
  });

  test('every cloud has its authority, scope and API', () => {
    const api = (POWERBI_CLOUD: string) => Config.load({ ...good, POWERBI_CLOUD }).powerBi;
    expect(api('public').apiUrl).toBe('https://api.powerbi.com');
    expect(api('gcc').scope).toContain('usgovcloudapi.net');
    expect(api('gcchigh').authorityUrl).toBe('https://login.microsoftonline.us');
    expect(api('dod').apiUrl).toBe('https://api.mil.powerbigov.us');
    expect(api('china').authorityUrl).toBe('https://login.chinacloudapi.cn');
  });
});

describe('a production start rejects by name what weakens security (L2)', () => {
  const named = (variables: Record<string, string | undefined>): (string | undefined)[] =>
    problemsOf({ ...secure, ...variables }).map((problem) => /^\w+/.exec(problem)?.[0]);

  test('NODE_TLS_REJECT_UNAUTHORIZED=0', () => {
    expect(named({ NODE_TLS_REJECT_UNAUTHORIZED: '0' })).toEqual(['NODE_TLS_REJECT_UNAUTHORIZED']);
    expect(named({ NODE_TLS_REJECT_UNAUTHORIZED: '1' })).toEqual([]);
  });

  test('PUBLIC_URL with http, except on loopback or with INSECURE_PUBLIC_URL', () => {
    const http = { PUBLIC_URL: 'http://reports.example.com' };
    expect(named(http)).toEqual(['PUBLIC_URL']);
    expect(named({ ...http, INSECURE_PUBLIC_URL: 'true' })).toEqual([]);
    for (const host of ['localhost:3000', '127.0.0.1', '[::1]:3000']) {
      expect([host, named({ PUBLIC_URL: `http://${host}` })]).toEqual([host, []]);
    }
    const provider = { OIDC_ISSUER: 'https://id.example.com', OIDC_CLIENT_ID: 'x' };
    const back = { OIDC_RETURN_URLS: 'http://portal.example.com' };
    expect(named({ ...provider, ...back })).toEqual(['OIDC_RETURN_URLS']);
  });

  test.each(['*', 'https://*.example.com', 'https://portal.example.com/', 'portal.example.com', 'null'])(
    'CORS_ORIGINS=%s',
    (CORS_ORIGINS) => expect(named({ CORS_ORIGINS })).toEqual(['CORS_ORIGINS']),
  );

  test.each(['true', '1', 'loopback', '10.0.0.0/33', '0.0.0.0/0', '::/0', '10.0.0.1, all', '10.1'])(
    'TRUST_PROXY=%s',
    (TRUST_PROXY) => expect(named({ TRUST_PROXY })).toEqual(['TRUST_PROXY']),
  );

  test('but accepts addresses, networks and origins', () => {
    expect(named({ TRUST_PROXY: '127.0.0.1, 10.0.0.0/8, ::1, fd00::/8' })).toEqual([]);
    expect(named({ CORS_ORIGINS: 'https://portal.example.com, http://127.0.0.1:8080' })).toEqual([]);
  });

  test.each(['DATABASE_URL', 'DATABASE_DIRECT_URL', 'DATABASE_MIGRATION_URL'])(
    '%s without encryption to another host, except with INSECURE_DATABASE',
    (name) => {
      const url = (query: string) => ({
        [name]: `postgres://vitrine:hunter2@db.example.com/vitrine${query}`,
      });
      const plain = ['', 'disable', 'allow', 'prefer', 'no-verify', 'require&uselibpqcompat=true'];
      for (const mode of plain) {
        const variables = url(mode === '' ? '' : `?sslmode=${mode}`);
        expect([mode, named(variables)]).toEqual([mode, [name]]);
        expect(named({ ...variables, INSECURE_DATABASE: 'true' })).toEqual([]);
      }
      for (const mode of ['require', 'verify-ca', 'verify-full'])
        expect([mode, named(url(`?sslmode=${mode}`))]).toEqual([mode, []]);
    },
  );

  test.each([
    'postgres://vitrine:hunter2@127.0.0.1:5432/vitrine',
    'postgres://vitrine:hunter2@localhost/vitrine?sslmode=disable',
    'postgres://vitrine:hunter2@[::1]/vitrine',
    'postgres://vitrine@%2Fvar%2Frun%2Fpostgresql/vitrine',
    'postgres:///vitrine?host=/var/run/postgresql',
  ])('but accepts a local database without encryption: %s', (DATABASE_URL) =>
    expect(named({ DATABASE_URL })).toEqual([]),
  );

  test.each([
    'abcabc'.repeat(8),
    '0123456789'.repeat(5),
    'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ',
    'correct-horse-battery-staple-correct-horse-battery',
    'ThisIsTheSecretKeyOfOurProductionServiceDoNotShare1',
    'Vitrine-Reports-Secret-Key-For-Contoso-Analytics-2026',
    Buffer.from('This is the secret key of our production service').toString('base64url'),
    `3q2-7wRkT0pYxJm9VbZc1LdNfGhQsUaE5iOo8KyWzXM,${'A'.repeat(43)}`,
  ])('a SECRET_KEY without entropy: %s', (SECRET_KEY) =>
    expect(named({ SECRET_KEY })).toEqual(['SECRET_KEY']),
  );

  test('but accepts random SECRET_KEYs, as base64url, base64 or hex', () => {
    for (const encoding of ['base64url', 'base64', 'hex'] as const) {
      const keys = Array.from({ length: 20 }, () => randomBytes(32).toString(encoding));
      expect(named({ SECRET_KEY: keys.join(',') })).toEqual([]);
    }
  });
});
