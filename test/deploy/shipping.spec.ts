import { describe, expect, test } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { DockerfileParser, type From } from 'dockerfile-ast';
import { validate } from 'dockerfile-utils';
import { parse } from 'yaml';
import { Config, settings } from '../../src/core/config/config.js';
import { demoTenant } from '@vitrine/power-bi-emulator';
import { built } from '../support/program.js';

interface Compose {
  services: Record<
    string,
    {
      build?: { target: string };
      image?: string;
      read_only?: boolean;
      env_file?: string[];
      ports?: string[];
      user?: string;
      stop_grace_period?: string;
      command?: string[];
      environment?: Record<string, string>;
      depends_on?: Record<string, { condition: string; required?: boolean }>;
      profiles?: string[];
      volumes?: string[];
      logging?: { driver: string };
    }
  >;
}

const dockerfile = readFileSync('Dockerfile', 'utf8');
const compose = parse(readFileSync('docker-compose.yml', 'utf8')) as Compose;
const unit = readFileSync('deploy/systemd/vitrine.service', 'utf8');
const forcedSeconds = Number(settings().find(({ name }) => name === 'SHUTDOWN_FORCED_SECONDS')?.fallback);
const instructions = DockerfileParser.parse(dockerfile).getInstructions();

/** The lines of each stage, by its name. */
function stages(): Record<string, string[]> {
  const found: Record<string, string[]> = {};
  let lines: string[] = [];
  for (const instruction of instructions) {
    if (instruction.getKeyword() === 'FROM') found[(instruction as From).getBuildStage() ?? ''] = lines = [];
    lines.push(instruction.getTextContent());
  }
  return found;
}

/** As compose does it: `${NAME:-default}`, `${NAME-default}`, `${NAME:?reason}`, `${NAME}`. */
function substituted(text: string, env: Record<string, string | undefined>): string {
  return text.replaceAll(/\$\{(\w+)(?:(:?-|:\?)([^}]*))?\}/g, (_all, name: string, kind = '', rest = '') => {
    const value = env[name];
    if (kind === ':?' && !value) throw new Error(`${name} is required: ${rest}`);
    if (kind === '-') return value ?? rest;
    return kind === ':-' ? value || rest : (value ?? '');
  });
}

/** What deploy/make-keys.js writes in an empty folder: the variables of compose, and the secrets. */
function madeKeys(): { folder: string; variables: Record<string, string | undefined> } {
  const folder = mkdtempSync(join(tmpdir(), 'keys-'));
  const { status } = spawnSync(process.execPath, [resolve('deploy/make-keys.js')], { cwd: folder });
  expect(status).toBe(0);
  return { folder, variables: parseEnv(readFileSync(join(folder, '.env'), 'utf8')) };
}

/** As compose does it: of several files the later one counts, and `environment` before all; each is substituted. */
function environmentOf(part: string, variables: Record<string, string | undefined>): Record<string, string> {
  const { env_file = [], environment = {} } = compose.services[part] ?? {};
  const files = env_file.map((path) => parseEnv(readFileSync(substituted(path, variables), 'utf8')));
  const all = Object.assign({}, ...files, environment) as Record<string, string>;
  return Object.fromEntries(
    Object.entries(all).map(([name, value]) => [name, substituted(value, variables)]),
  );
}

describe('the Dockerfile', () => {
  test('has no linter problem', () => {
    expect(validate(dockerfile).map(({ message }) => message)).toEqual([]);
  });

  test('builds the service last, unprivileged, without development packages and with a health check', () => {
    expect(Object.keys(stages())).toEqual([
      'build',
      'production',
      'emulator-packages',
      'emulator',
      'service',
    ]);
    const service = stages().service ?? [];
    const user = service.find((line) => line.startsWith('USER '));
    expect(Number(user?.match(/\d+/)?.[0])).toBeGreaterThanOrEqual(10_001);
    expect(service).toContain('COPY --from=production /app/node_modules node_modules');
    expect(
      service.filter((line) => /emulator|(?<!usr\/)local|--from=build.*node_modules/.test(line)),
    ).toEqual([]);
    expect(service.some((line) => line.startsWith('HEALTHCHECK '))).toBe(true);
    expect(service.at(-1)).toBe('CMD ["node", "dist/src/main.js"]');
  });

  test('uses the Node version of the project, and copies existing files only', () => {
    const { devDependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as {
      devDependencies: { node: string };
    };
    const [, pinned] = /^ARG NODE_IMAGE=node:([\d.]+)-bookworm-slim$/m.exec(dockerfile) ?? [];
    expect(pinned).toBe(devDependencies.node);
    const images = [...dockerfile.matchAll(/^FROM (\S+)/gm)].map(([, image]) => image);
    expect(new Set(images)).toEqual(new Set(['${NODE_IMAGE}', 'build']));
    const copies = stages().build?.filter((line) => line.startsWith('COPY ')) ?? [];
    const sources = copies.flatMap((line) => line.split(' ').slice(1, -1));
    const ignored = readFileSync('.dockerignore', 'utf8').split('\n');
    const isSent = (name: string) =>
      ignored.some((line) => `!${name}/`.startsWith(`${line}/`) && line !== '');
    expect(sources.filter((name) => !existsSync(name) || !isSent(name))).toEqual([]);
  });
});

describe('SUP-05 the image and its neighbours', () => {
  test('run without capabilities, on a read-only root file system', () => {
    for (const [name, part] of Object.entries(compose.services)) {
      expect({ name, ...part }).toMatchObject({
        name,
        read_only: true,
        cap_drop: ['ALL'],
        security_opt: ['no-new-privileges:true'],
        tmpfs: expect.any(Array),
      });
    }
  });

  test('the layers of the service contain no installer, test or secret', () => {
    const service = (stages().service ?? []).join('\n');
    expect(service).toContain('rm -rf /usr/local/lib/node_modules');
    expect(service).toContain('NODE_OPTIONS="--disable-proto=delete"');
    expect(service).toContain('COPY --from=build /app/dist/openapi.json dist/openapi.json');
    expect(service).toContain('COPY --from=build /app/dist/portal dist/portal');
    const ignored = readFileSync('.dockerignore', 'utf8').split('\n');
    expect(ignored[0]).toBe('*');
    const let_in = ignored.filter((line) => line.startsWith('!'));
    expect(let_in.filter((line) => /\.git|\.env|test|secrets/.test(line))).toEqual([]);
    expect(dockerfile).not.toMatch(/(PASSWORD|SECRET|TOKEN|KEY)=/);
  });

  test('CFG-09 the service loads without `__proto__`', () => {
    const main = built('src/main.js');
    const { status, stderr } = spawnSync(process.execPath, ['--disable-proto=delete', main], {
      encoding: 'utf8',
      env: {},
    });
    expect([status, stderr]).toEqual([1, expect.stringContaining('DATABASE_URL is missing')]);
  });
});

describe('package.json', () => {
  test('runs the same program as the image and the systemd unit, without V8 tuning', () => {
    const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as {
      scripts: Record<'start:prod', string>;
    };
    const service = (stages().service ?? []).join('\n');
    for (const text of [scripts['start:prod'], service, unit]) {
      expect(text).toContain('dist/src/main.js');
      expect(text).not.toMatch(/--max-|NODE_COMPILE_CACHE/);
    }
    for (const text of [service, unit]) expect(text).toContain('NODE_ENV=production MALLOC_ARENA_MAX=2 ');
  });

  test('lists every package that the service loads as a dependency: the image has no others', () => {
    const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as { dependencies: object };
    const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((name) =>
      /(?<!\.spec)\.ts$/.test(name),
    );
    const loaded = files.flatMap((name) =>
      [
        ...readFileSync(join('src', name), 'utf8').matchAll(
          /^import (?!type )[^;]*?'((?:@[\w-]+\/)?[\w-][\w.-]*)/gm,
        ),
      ].map(([, found = '']) => found),
    );
    expect(loaded).toContain('lru-cache');
    expect(loaded.filter((name) => name !== 'node' && !(name in dependencies))).toEqual([]);
  });
});

describe('docker-compose.yml', () => {
  test('contains the service and its dependencies, each from a stage or a versioned image', () => {
    expect(Object.keys(compose.services)).toEqual([
      'vitrine',
      'migrate',
      'postgres',
      'redis',
      'mailpit',
      'emulator',
    ]);
    const parts = Object.values(compose.services);
    const targets = parts.flatMap(({ build }) => (build ? [build.target] : []));
    expect(targets).toEqual(['service', 'service', 'emulator']);
    expect(parts.filter(({ build, image }) => !build && !/^[\w/]+:v?\d/.test(image ?? ''))).toEqual([]);
  });

  test('rotates every log, as docker run does', () => {
    expect(Object.values(compose.services).map(({ logging }) => logging)).toEqual(
      Object.values(compose.services).map(() => ({ driver: 'local' })),
    );
    expect(readFileSync('docs/production.md', 'utf8')).toMatch(/docker run --detach [^`]*--log-driver local/);
  });

  test('configures the service completely with generated keys, and fails without them', () => {
    const { folder, variables } = madeKeys();
    expect(() => environmentOf('postgres', {})).toThrow('is required');
    const mounted = Object.entries(environmentOf('vitrine', variables)).map(([name, value]) => [
      name,
      value.replace('/etc/vitrine/secrets', join(folder, 'secrets')),
    ]);
    const config = Config.load(Object.fromEntries(mounted));
    expect(config.powerBi.tenantId).toBe(demoTenant.tenantId);
    expect(config.powerBi.credential).toMatchObject({ secret: demoTenant.clientSecret });
    expect(config.auth.signingKeys.read()).toHaveLength(1);
    expect(config.limits.redisUrl).toBe('redis://redis:6379');
    rmSync(folder, { recursive: true });
  });

  test.each([undefined, '3001'])('links of the demo name the published port, with PORT=%s', (PORT) => {
    const { ports: [published = ''] = [] } = compose.services.vitrine ?? {};
    const [, port] = substituted(published, { PORT }).split(':');
    expect(port).toBe(PORT ?? '3000');
    expect(environmentOf('vitrine', { PORT }).PUBLIC_URL).toBe(`http://localhost:${port}`);
  });

  test('passes every documented variable to the service, and every file (D7)', () => {
    const folder = mkdtempSync(join(tmpdir(), 'settings-'));
    const names = settings().flatMap(({ name, secret }) => (secret ? [name, `${name}_FILE`] : [name]));
    writeFileSync(join(folder, 'vitrine.env'), names.map((name) => `${name}=of ${name}\n`).join(''));
    const environment = environmentOf('vitrine', { VITRINE_ENV: join(folder, 'vitrine.env') });
    expect(names.filter((name) => environment[name] !== `of ${name}`)).toEqual([]);
    expect(compose.services.vitrine?.volumes).toEqual(['./secrets:/etc/vitrine/secrets:ro']);
    rmSync(folder, { recursive: true });
  });

  test('gives the service enough time to stop (D7)', () => {
    const { stop_grace_period = '' } = compose.services.vitrine ?? {};
    expect(stop_grace_period).toMatch(/^\d+s$/);
    expect(Number.parseInt(stop_grace_period, 10)).toBeGreaterThan(forcedSeconds);
  });

  test('CFG-06 runs the service with a role that is not the owner, after the owner has migrated', () => {
    const { vitrine, migrate, postgres } = compose.services;
    const { folder, variables } = madeKeys();
    const roleOf = (url = '') => new URL(substituted(url, variables)).username;
    const DATABASE_URL = readFileSync(join(folder, 'secrets/database-url'), 'utf8');
    rmSync(folder, { recursive: true });
    expect(JSON.stringify(vitrine)).not.toMatch(/DATABASE_MIGRATION_URL|POSTGRES/);
    expect(vitrine?.depends_on?.migrate).toEqual({ condition: 'service_completed_successfully' });
    expect(roleOf(migrate?.environment?.DATABASE_MIGRATION_URL)).toBe(postgres?.environment?.POSTGRES_USER);
    expect(migrate?.command).toEqual([
      'node',
      'dist/src/cli/vitrine.js',
      'migrate',
      '--role',
      roleOf(DATABASE_URL),
    ]);
    expect(readFileSync('deploy/sql/roles.sql', 'utf8')).toContain(
      `CREATE ROLE ${roleOf(DATABASE_URL)} LOGIN`,
    );
  });

  test('CFG-06 creates that role with its password when the database is created', () => {
    const { environment = {}, volumes = [] } = compose.services.postgres ?? {};
    const mounted = volumes
      .map((volume) => volume.split(':'))
      .filter(([, place = '']) => place.includes('initdb'));
    // It runs them in the order of their names there.
    expect(mounted.map(([file, place = '']) => [file, basename(place)])).toEqual([
      ['./deploy/sql/roles.sql', '1-roles.sql'],
      ['./deploy/sql/app-password.sh', '2-app-password.sh'],
    ]);
    const folder = mkdtempSync(join(tmpdir(), 'psql-'));
    writeFileSync(join(folder, 'psql'), '#!/bin/sh\necho "$@"\ncat\n', { mode: 0o755 });
    const env = Object.fromEntries(
      Object.entries(environment).map(([name, value]) => [
        name,
        substituted(value, { POSTGRES_PASSWORD: 'owner', POSTGRES_APP_PASSWORD: 'app' }),
      ]),
    );
    const options = { env: { PATH: `${folder}:${process.env.PATH}`, ...env }, encoding: 'utf8' } as const;
    const { status, stdout } = spawnSync('sh', [mounted[1]?.[0] ?? ''], options);
    expect([status, stdout]).toEqual([0, expect.stringContaining('-U vitrine -d vitrine')]);
    expect(stdout).toContain('\\getenv password POSTGRES_APP_PASSWORD');
    expect(stdout).toContain("ALTER ROLE vitrine_app PASSWORD :'password'");
    rmSync(folder, { recursive: true });
  });

  test("mounts secrets that only the service's user can read, and generates them once", () => {
    const { folder, variables } = madeKeys();
    const [uid] = (variables.VITRINE_USER ?? '').split(':').map(Number);
    expect(compose.services.vitrine?.user).toBe('${VITRINE_USER:-10001:10001}');
    expect(uid).toBeGreaterThan(0);
    const files = readdirSync(join(folder, 'secrets')).map((name) => join(folder, 'secrets', name));
    expect(files).toHaveLength(4);
    for (const path of [...files, join(folder, 'secrets')]) {
      expect([path, statSync(path).mode & 0o077, statSync(path).uid]).toEqual([path, 0, uid]);
    }
    const before = readFileSync(join(folder, '.env'), 'utf8');
    const again = spawnSync(process.execPath, [resolve('deploy/make-keys.js')], {
      cwd: folder,
      encoding: 'utf8',
    });
    expect([again.status, again.stderr]).toEqual([1, expect.stringContaining('exists')]);
    expect(readFileSync(join(folder, '.env'), 'utf8')).toBe(before);
    rmSync(folder, { recursive: true });
  });

  test('runs unchanged with the settings of a tenant, without the emulator (D6)', () => {
    const environment = environmentOf('vitrine', { VITRINE_ENV: 'deploy/vitrine.env.example' });
    expect(environment).not.toHaveProperty('POWERBI_API_URL');
    expect(environment.POWERBI_CERTIFICATE_FILE).toBe('/etc/vitrine/secrets/power-bi.pem');
    const { emulator, mailpit, vitrine } = compose.services;
    expect([emulator?.profiles, mailpit?.profiles]).toEqual([['demo'], ['demo']]);
    expect(vitrine?.depends_on?.emulator).toEqual({ condition: 'service_healthy', required: false });
  });
});

describe('the other ways to run the service', () => {
  const shown = readFileSync('docs/production.md', 'utf8');

  test('docker run uses the settings file and the secrets of the host, and has enough time to stop (D6)', () => {
    expect(shown).toContain(
      '--env-file /etc/vitrine/vitrine.env --volume /etc/vitrine/secrets:/etc/vitrine/secrets:ro',
    );
    expect(Number(/--stop-timeout (\d+)/.exec(shown)?.[1])).toBeGreaterThan(forcedSeconds);
    expect((stages().service ?? []).join('\n')).toMatch(/^ENV .*\bHOST=0\.0\.0\.0\b/m);
    // The image's user may read what only this user of the host may read.
    expect(shown).toContain(`--uid ${/^USER (\d+)/m.exec((stages().service ?? []).join('\n'))?.[1]}`);
  });

  test('the keys of compose are rotated in a container of the service that can write them', () => {
    const [, folder = '', service = '', file = ''] =
      /docker compose run [^\n]*"\$PWD\/secrets:([^":]+)" (\w+) \\\n +node bin\/vitrine\.js keys rotate --file (\S+)/.exec(
        shown,
      ) ?? [];
    expect(stages()[compose.services[service]?.build?.target ?? '']).toContain(
      'COPY --from=build /app/bin bin',
    );
    expect(dirname(file)).toBe(folder);
    // Of two mounts of one folder compose uses its file's, which is read-only.
    expect(compose.services[service]?.volumes?.map((volume) => volume.split(':')[1])).not.toContain(folder);
  });

  test('the keys of the chart are written to files that only their owner can read', () => {
    const operations = readFileSync('docs/operations.md', 'utf8');
    const [, commands = ''] = /```sh[^\n]*\n([^`]*> secrets\/secret-key)\n/.exec(operations) ?? [];
    expect(commands).toMatch(/^umask 077\ninstall -d -m 700 secrets\n/);
  });

  test('every user can read the documented certificate authority of the database, also the one that migrates', () => {
    const texts = [shown, readFileSync('deploy/vitrine.env.example', 'utf8')];
    const places = texts.flatMap((text) =>
      [...text.matchAll(/sslrootcert=([\w/.-]+)/g)].map(([, place]) => place),
    );
    expect(places).toEqual(['/etc/vitrine/database-ca.pem', '/etc/vitrine/database-ca.pem']);
    expect(shown).toContain('install -m 644 database-ca.pem /etc/vitrine/database-ca.pem');
    expect(shown).toContain('--volume /etc/vitrine/database-ca.pem:/etc/vitrine/database-ca.pem:ro');
    expect(readFileSync('docs/operations.md', 'utf8')).toContain(
      '--set migration.secretFiles=vitrine-database-ca',
    );
  });

  test('the systemd unit uses the same file, binds to loopback by default, and has enough time to stop (D6, D13)', () => {
    expect(unit.indexOf('HOST=127.0.0.1')).toBeLessThan(
      unit.indexOf('EnvironmentFile=/etc/vitrine/vitrine.env'),
    );
    expect(unit).toContain('HOST=127.0.0.1');
    expect(Number(/^TimeoutStopSec=(\d+)$/m.exec(unit)?.[1])).toBeGreaterThan(forcedSeconds);
    expect(unit).not.toContain('MIGRATION');
  });
});

test('the unit becomes a template of replicas by the command of docs/scaling.md', () => {
  const guide = readFileSync('docs/scaling.md', 'utf8');
  const [, from = '', to = ''] = /sed 's\/([^/]+)\/([^/]+)\/'.*vitrine@\.service/.exec(guide) ?? [];
  expect(unit.split(from)).toHaveLength(2);
  expect(unit.replace(from, to)).toMatch(/^Environment=.* PORT=%i$/m);
});

describe('.env.example', () => {
  test('contains no working secret, and the variables that deploy/make-keys.js writes', () => {
    const values = parseEnv(readFileSync('.env.example', 'utf8'));
    const { folder, variables } = madeKeys();
    rmSync(folder, { recursive: true });
    expect(Object.keys(values)).toEqual(Object.keys(variables));
    expect(
      Object.entries(values).filter(([name, value]) => name.includes('PASSWORD') && value !== ''),
    ).toEqual([]);
  });
});
