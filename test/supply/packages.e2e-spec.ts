import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { installPacked, manifestOf } from '../support/packed-package.js';
import { processesOfTest } from '../support/processes-of-test.js';

const endsWithTest = processesOfTest();

let folder: string;

const run = (code: string): string =>
  execFileSync(process.execPath, ['--input-type=module', '--eval', code], { cwd: folder, encoding: 'utf8' });

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'vitrine-packages-'));
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

describe('a packed package works in an empty folder', () => {
  test('@vitrine/embed: code and types', () => {
    const { folder: target } = installPacked('@vitrine/embed', folder);
    expect(
      run("const { embedTokens } = await import('@vitrine/embed'); console.log(typeof embedTokens)"),
    ).toBe('function\n');
    expect(existsSync(join(target, 'dist/index.d.ts'))).toBe(true);
    expect(existsSync(join(target, 'src'))).toBe(false);
  });

  test('@vitrine/power-bi-emulator: function, types, program and embed page', async () => {
    const { folder: target } = installPacked('@vitrine/power-bi-emulator', folder);
    expect(existsSync(join(target, 'dist/index.d.ts'))).toBe(true);
    const { bin } = manifestOf(target);
    const main = join(target, bin?.['power-bi-emulator'] ?? '');
    const program = endsWithTest(spawn(process.execPath, [main], { cwd: folder }));
    const [printed] = (await once(program.stdout.setEncoding('utf8'), 'data')) as [string];
    const url = /http:\/\/\S+/.exec(printed)?.[0] ?? '';
    expect((await fetch(`${url}/__emulator/settings`)).status).toBe(200);
    const page = await fetch(`${url}/reportEmbed`);
    expect([page.status, page.headers.get('content-type')]).toEqual([
      200,
      expect.stringContaining('text/html'),
    ]);
  }, 60_000);
});
