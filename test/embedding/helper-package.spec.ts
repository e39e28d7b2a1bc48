import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';

const built = readFileSync('dist/portal/embed.js');
const versionOf = (path: string) => (JSON.parse(readFileSync(path, 'utf8')) as { version: string }).version;

/** Somebody's own project, into which the package was installed as packed for the registry. */
const project = mkdtempSync(join(tmpdir(), 'project-'));
let files: string[];

function run(command: string, ...args: string[]): string {
  const { stdout, stderr } = spawnSync(command, args, { cwd: project, encoding: 'utf8' });
  return stdout + stderr;
}

beforeAll(() => {
  const packed = run('npm', 'pack', resolve('packages/embed'), '--json', '--silent', '--ignore-scripts');
  const [{ filename, files: list }] = JSON.parse(packed) as [{ filename: string; files: { path: string }[] }];
  files = list.map(({ path }) => path);
  const folder = join(project, 'node_modules/@vitrine/embed');
  mkdirSync(folder, { recursive: true });
  run('tar', '-xzf', filename, '-C', folder, '--strip-components=1');
});
afterAll(() => rmSync(project, { recursive: true }));

describe('the built embed helper', () => {
  test('is one file below 4 kB, as it travels, that loads nothing else', () => {
    expect(gzipSync(built).length).toBeLessThan(4000);
    expect(built.toString()).not.toMatch(/\bimport\b|\brequire\b|https?:/);
  });

  test('has the version of the service', () => {
    expect(versionOf('packages/embed/package.json')).toBe(versionOf('package.json'));
  });

  test('is the package, with its types and its guide and nothing else', () => {
    const types = ['dist/index.d.ts', 'dist/problem.d.ts', 'dist/types.d.ts'];
    expect(new Set(files)).toEqual(new Set(['README.md', 'dist/embed.js', ...types, 'package.json']));
    expect(readFileSync('packages/embed/dist/embed.js')).toEqual(built);
  });

  test('is found by Node where it was installed', () => {
    const program = `import { embedTokens } from '@vitrine/embed'; console.log(typeof embedTokens().keep);`;
    writeFileSync(join(project, 'program.mjs'), program);
    expect(run(process.execPath, 'program.mjs')).toBe('function\n');
  });

  test('is found by TypeScript where it was installed', () => {
    const program = `import { embedTokens, type EmbedToken } from '@vitrine/embed';
      export const next: Promise<EmbedToken> = embedTokens().keep({ reportId: '1' }).token();
      // @ts-expect-error: there is no such access
      embedTokens().keep({ reportId: '1', access: 'own' });`;
    writeFileSync(join(project, 'program.mts'), program);
    const options = ['--noEmit', '--strict', '--skipLibCheck', '--module', 'nodenext', '--lib', 'es2022,dom'];
    expect(run(process.execPath, resolve('node_modules/typescript/bin/tsc'), ...options, 'program.mts')).toBe(
      '',
    );
  }, 60_000);
});
