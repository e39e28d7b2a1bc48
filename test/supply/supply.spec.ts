import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { parseDocument } from '../docs/documents.js';

interface Package {
  version: string;
  integrity?: string;
  link?: boolean;
  dev?: boolean;
  hasInstallScript?: boolean;
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
}

const json = <T>(path: string): T => JSON.parse(readFileSync(path, 'utf8')) as T;
const own = json<{
  dependencies: Record<string, string>;
  devDependencies: Record<string, string>;
  scripts: Record<string, string>;
  allowScripts: Record<string, boolean>;
}>('package.json');
const { packages } = json<{ packages: Record<string, Package> }>('package-lock.json');
// Without the root and the workspaces, whose sources are in this repository.
const installed = Object.entries(packages).filter(([path]) => path.startsWith('node_modules/'));
const nameOf = (path: string): string =>
  path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);

describe('SUP-01 the lockfile', () => {
  test('has an integrity hash for every package', () => {
    expect(installed.length).toBeGreaterThan(300);
    expect(installed.filter(([, { integrity, link }]) => !integrity?.startsWith('sha512-') && !link)).toEqual(
      [],
    );
  });

  test('matches package.json, which has exact versions', () => {
    const root = packages[''] as Package;
    expect(root.dependencies).toEqual(own.dependencies);
    expect(root.devDependencies).toEqual(own.devDependencies);
    const wanted = Object.entries({ ...own.dependencies, ...own.devDependencies });
    expect(wanted.filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))).toEqual([]);
    expect(wanted.filter(([name, version]) => packages[`node_modules/${name}`]?.version !== version)).toEqual(
      [],
    );
  });

  test('is used by the image and by CI', () => {
    const text = readFileSync('Dockerfile', 'utf8') + readFileSync('.ci/run', 'utf8');
    expect(text).toContain('npm ci');
    expect(text).not.toMatch(/npm (install|i) /);
  });
});

test('SUP-03 every install script is listed in allowScripts, and production has none', () => {
  const scripted = installed.filter(([, { hasInstallScript }]) => hasInstallScript === true);
  expect(scripted.map(([path]) => nameOf(path)).toSorted()).toEqual(Object.keys(own.allowScripts).toSorted());
  const production = scripted.filter(([, { dev }]) => dev !== true).map(([path]) => nameOf(path));
  expect(production.filter((name) => own.allowScripts[name] === true)).toEqual([]);
  expect(readFileSync('.npmrc', 'utf8')).not.toContain('ignore-scripts');
});

/** Named here to be taken out or replaced before another comes in; NestJS, OpenTelemetry and zxcvbn are 14 of them. */
const MOST_DEPENDENCIES = 42;

describe('SUP-07 production dependencies', () => {
  test('are few', () => {
    expect(Object.keys(own.dependencies).length).toBeLessThanOrEqual(MOST_DEPENDENCIES);
  });

  test('have their peer dependencies, also without development packages', () => {
    for (const name of ['passport', 'pino', 'pino-http']) {
      expect([name, packages[`node_modules/${name}`]]).toEqual([
        name,
        expect.objectContaining({ peer: true }),
      ]);
      expect(packages[`node_modules/${name}`]).not.toHaveProperty('dev');
    }
  });

  test('are updated when a version is a week old', () => {
    const { text } = parseDocument('docs/operations.md', readFileSync('docs/operations.md', 'utf8'));
    expect(text).toMatch(/updates are taken when they are a week old/i);
  });
});

/** Weeks in which the next line has to be taken up. */
const WARNING_DAYS = 60;

test('SUP-06 the Node line is supported', () => {
  const ends = json<Record<string, string>>('deploy/node-lines.json');
  const line = (own.devDependencies.node as string).split('.')[0] as string;
  const days = (of: string) => (Date.parse(ends[of] as string) - Date.now()) / 86_400_000;
  expect(days(line)).toBeGreaterThan(WARNING_DAYS);
  expect(days('20')).toBeLessThan(0);
  expect(process.versions.node.split('.')[0]).toBe(line);
  expect(readFileSync('Dockerfile', 'utf8')).toContain(`node:${line}.`);
});

test('SUP-09 the documentation has the remediation times', () => {
  const { text } = parseDocument('docs/operations.md', readFileSync('docs/operations.md', 'utf8'));
  expect(text).toMatch(/critical.{0,40}7 days/i);
  expect(text).toMatch(/high.{0,40}30 days/i);
});

/** Shapes of secrets that are never right in a repository. */
const shapes = [
  /-----BEGIN (?:RSA |EC |OPENSSH |ENCRYPTED )?PRIVATE KEY-----\s+[A-Za-z0-9+/]{40}/,
  /"d"\s*:\s*"[A-Za-z0-9_-]{300,}"/,
  /\bgh[pousr]_[A-Za-z0-9]{36}\b/,
  /\bnpm_[A-Za-z0-9]{36}\b/,
  /\bAKIA[0-9A-Z]{16}\b/,
  /\bxox[bapr]-[\w-]{20,}/,
  /\b[A-Za-z0-9_-]{3}8Q~[A-Za-z0-9_.~-]{34}\b/,
  /\beyJ[\w-]{20,}\.eyJ[\w-]{20,}\.[\w-]{40,}/,
];

describe('SUP-08 version control', () => {
  const files = execFileSync('git', ['ls-files', '-z'], { encoding: 'utf8' }).split('\0').filter(Boolean);

  test('contains no text that looks like a secret', () => {
    expect(files.length).toBeGreaterThan(500);
    const found = files.filter((file) => {
      const text = readFileSync(file, 'utf8');
      return shapes.some((shape) => shape.test(text));
    });
    expect(found).toEqual([]);
    expect(shapes.some((shape) => shape.test(`AKIA${'A'.repeat(16)}`))).toBe(true);
  });

  test('contains no file that is meant for secrets', () => {
    expect(files.filter((file) => /(^|\/)(\.env|.*\.(pem|key|p12|pfx))$/.test(file))).toEqual([]);
    for (const name of ['.env', 'secrets/secret-key', '.data/x']) {
      expect(execFileSync('git', ['check-ignore', name], { encoding: 'utf8' }).trim()).toBe(name);
    }
  });
});
