import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { installPacked, manifestOf } from '../support/packed-package.js';

const built = readFileSync('dist/portal/embed.js');

/** A project into which the package is installed as packed for the registry. */
const project = mkdtempSync(join(tmpdir(), 'project-'));
let files: string[];

function run(command: string, ...args: string[]): string {
  const { stdout, stderr } = spawnSync(command, args, { cwd: project, encoding: 'utf8' });
  return stdout + stderr;
}

beforeAll(() => {
  // The build of the repository has built it; building it again would write to `dist` during other tests.
  ({ files } = installPacked('@vitrine/embed', project));
});
afterAll(() => rmSync(project, { recursive: true }));

describe('the built embed helper', () => {
  test('is one file below 5.5 kB compressed, without imports', () => {
    expect(gzipSync(built).length).toBeLessThan(5500);
    expect(built.toString()).not.toMatch(/\bimport\b|\brequire\b|https?:/);
  });

  test('has the version of the service', () => {
    expect(manifestOf('packages/embed').version).toBe(manifestOf('.').version);
  });

  test('is the package, with its types and its guide only', () => {
    const types = ['dist/index.d.ts', 'dist/problem.d.ts', 'dist/types.d.ts'];
    expect(new Set(files)).toEqual(new Set(['README.md', 'dist/embed.js', ...types, 'package.json']));
    expect(readFileSync('packages/embed/dist/embed.js')).toEqual(built);
  });

  test('is resolved by Node when installed', () => {
    const program = `import { embedTokens } from '@vitrine/embed'; console.log(typeof embedTokens().keep);`;
    writeFileSync(join(project, 'program.mjs'), program);
    expect(run(process.execPath, 'program.mjs')).toBe('function\n');
  });

  test('is resolved by TypeScript when installed', () => {
    const program = `import { embedTokens, type EmbedToken } from '@vitrine/embed';
      export const next: Promise<EmbedToken> = embedTokens().keep({ reportId: '1' }).token();
      // @ts-expect-error: there is no such access
      embedTokens().keep({ reportId: '1', access: 'own' });`;
    writeFileSync(join(project, 'program.mts'), program);
    const options = ['--noEmit', '--strict', '--skipLibCheck', '--module', 'nodenext', '--lib', 'es2022,dom'];
    expect(run(process.execPath, resolve('node_modules/typescript/bin/tsc'), ...options, 'program.mts')).toBe(
      '',
    );
  });
});
