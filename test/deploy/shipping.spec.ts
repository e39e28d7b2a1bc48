import { describe, expect, test } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { parseEnv } from 'node:util';
import { DockerfileParser, type From } from 'dockerfile-ast';
import { validate } from 'dockerfile-utils';
import { parse } from 'yaml';
import { Config } from '../../src/config/config.js';
import { demoTenant } from '../../emulator/demo-tenant.js';
import { built } from '../support/program.js';

interface Compose {
  services: Record<
    string,
    {
      build?: { target: string };
      image?: string;
      read_only?: boolean;
      secrets?: string[];
      command?: string[];
      environment?: Record<string, string>;
      depends_on?: Record<string, { condition: string }>;
      volumes?: string[];
    }
  >;
}

const dockerfile = readFileSync('Dockerfile', 'utf8');
const compose = parse(readFileSync('docker-compose.yml', 'utf8')) as Compose;
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

function madeKeys(): Record<string, string | undefined> {
  const { stdout } = spawnSync(process.execPath, ['deploy/make-keys.js'], { encoding: 'utf8' });
  return parseEnv(stdout);
}

describe('the Dockerfile', () => {
  test('has no problem that a linter finds', () => {
    expect(validate(dockerfile).map(({ message }) => message)).toEqual([]);
  });

  test('builds the service last, without rights, without development packages, and watched', () => {
    expect(Object.keys(stages())).toEqual(['build', 'production', 'emulator', 'service']);
    const service = stages().service ?? [];
    const user = service.find((line) => line.startsWith('USER '));
    expect(Number(user?.match(/\d+/)?.[0])).toBeGreaterThanOrEqual(10_001);
    expect(service).toContain('COPY --from=production /app/node_modules node_modules');
    expect(
      service.filter((line) => /emulator|(?<!usr\/)local|--from=build.*node_modules/.test(line)),
    ).toEqual([]);
    expect(service.some((line) => line.startsWith('HEALTHCHECK '))).toBe(true);
    expect(service.at(-1)).toBe('CMD ["node", "dist/service/main.js"]');
    // Compiled while it may still write, with the flags that it runs with.
    const at = (start: string): number => service.findIndex((line) => line.startsWith(start));
    expect(at('RUN node --eval')).toBeGreaterThan(
      Math.max(at('ENV NODE_COMPILE_CACHE='), at('ENV NODE_ENV')),
    );
    expect(at('RUN node --eval')).toBeLessThan(at('USER '));
  });

  test('uses the Node that the project brings, and only files that are there', () => {
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
    expect(sources.filter((name) => !existsSync(name) || !ignored.includes(`!${name}`))).toEqual([]);
  });
});

describe('SUP-05 the image and its neighbours', () => {
  test('run without rights, on a root that cannot be written', () => {
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

  test('have no installer, no test and no secret in the layers of the service', () => {
    const service = (stages().service ?? []).join('\n');
    expect(service).toContain('rm -rf /usr/local/lib/node_modules');
    expect(service).toContain('NODE_OPTIONS="--disable-proto=delete --max-semi-space-size=4"');
    expect(service).toContain('MALLOC_TRIM_THRESHOLD_=131072 MALLOC_ARENA_MAX=1');
    expect(service).toContain('COPY --from=build /app/dist/portal dist/portal');
    const ignored = readFileSync('.dockerignore', 'utf8').split('\n');
    expect(ignored[0]).toBe('*');
    const let_in = ignored.filter((line) => line.startsWith('!'));
    expect(let_in.filter((line) => /\.git|\.env|test|secrets/.test(line))).toEqual([]);
    expect(dockerfile).not.toMatch(/(PASSWORD|SECRET|TOKEN|KEY)=/);
  });

  test('CFG-09 what is loaded does without `__proto__`', () => {
    const main = built('service/main.js');
    const { status, stderr } = spawnSync(process.execPath, ['--disable-proto=delete', main], {
      encoding: 'utf8',
      env: {},
    });
    expect([status, stderr]).toEqual([1, expect.stringContaining('DATABASE_URL is missing')]);
  });
});

describe('package.json', () => {
  test('runs the service with the flags that the image runs it with', () => {
    const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as {
      scripts: Record<'start:prod', string>;
    };
    const flagsOf = (text: string): string[] => text.match(/\bMALLOC_\w+=\d+|--max-[\w-]+=\d+/g) ?? [];
    const flags = flagsOf(scripts['start:prod']);
    expect(flags).toHaveLength(3);
    expect(new Set(flagsOf((stages().service ?? []).join('\n')))).toEqual(new Set(flags));
  });

  test('has every package that the service loads among its dependencies: the image has no others', () => {
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
    expect(loaded).toContain('express');
    expect(loaded.filter((name) => name !== 'node' && !(name in dependencies))).toEqual([]);
  });
});

describe('docker-compose.yml', () => {
  test('brings the service and everything around it, each from a stage or a versioned image', () => {
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

  test('configures the service completely with made keys, and not without', () => {
    const { environment = {} } = compose.services.vitrine ?? {};
    const settings = (env: Record<string, string | undefined>) =>
      Object.fromEntries(Object.entries(environment).map(([name, value]) => [name, substituted(value, env)]));
    expect(() => settings({})).toThrow('is required');
    const { JWT_KEYS_FILE, ...others } = settings(madeKeys());
    expect(JWT_KEYS_FILE).toBe('/tmp/jwt-keys.json');
    expect(() => Config.load(others)).toThrow(
      /^The configuration is not usable:\n  - JWT_KEYS_FILE is missing$/,
    );
    expect(others.POWERBI_TENANT_ID).toBe(demoTenant.tenantId);
    expect(others.POWERBI_CLIENT_SECRET).toBe(demoTenant.clientSecret);
  });

  test('CFG-06 runs the service as a role that is not the owner, after the owner has migrated for it', () => {
    const { vitrine, migrate, postgres } = compose.services;
    const keys = madeKeys();
    const roleOf = (url = '') => new URL(substituted(url, keys)).username;
    const { DATABASE_URL } = vitrine?.environment ?? {};
    expect(JSON.stringify(vitrine)).not.toMatch(/DATABASE_MIGRATION_URL|\$\{POSTGRES_PASSWORD/);
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

  test('CFG-06 makes that role with its password when the database is made', () => {
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

  test('hands the keys on through memory, as compose gives no secret of .env to a read-only root', () => {
    const { read_only, secrets = [], command = [] } = compose.services.vitrine ?? {};
    expect({ read_only, secrets }).toEqual({ read_only: true, secrets: [] });
    const folder = mkdtempSync(join(tmpdir(), 'keys-'));
    const JWT_KEYS_FILE = join(folder, 'jwt-keys.json');
    const [program = '', ...args] = command.map((word) =>
      word.replaceAll('$$', '$').replace('node dist/service/main.js', 'env'),
    );
    const env = { PATH: process.env.PATH, JWT_KEYS: `{"keys": ["it's"]}`, JWT_KEYS_FILE };
    const { stdout } = spawnSync(program, args, { env, encoding: 'utf8' });
    expect(readFileSync(JWT_KEYS_FILE, 'utf8')).toBe(env.JWT_KEYS);
    expect(statSync(JWT_KEYS_FILE).mode & 0o077).toBe(0);
    expect(stdout).not.toContain('JWT_KEYS=');
    rmSync(folder, { recursive: true });
  });

  test('hands on every setting that .env.example names', () => {
    const named = [...readFileSync('.env.example', 'utf8').matchAll(/^(?:# )?([A-Z_]+)=/gm)];
    const text = readFileSync('docker-compose.yml', 'utf8');
    expect(named.map(([, name]) => name).filter((name) => !text.includes(`\${${name}`))).toEqual([]);
  });

  test('lets real Power BI settings take the place of the emulator', () => {
    const real = { ...madeKeys(), POWERBI_API_URL: '', POWERBI_AUTHORITY_URL: '' };
    const { POWERBI_API_URL = 'unset' } = compose.services.vitrine?.environment ?? {};
    expect(substituted(POWERBI_API_URL, real)).toBe('');
    expect(substituted(POWERBI_API_URL, {})).toContain('emulator');
  });
});

describe('.env.example', () => {
  test('holds no secret that would work', () => {
    const values = parseEnv(readFileSync('.env.example', 'utf8'));
    expect(Object.values(values).filter(Boolean)).toEqual([]);
    expect(Object.keys(values)).toEqual(Object.keys(madeKeys()));
  });
});
