import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';

interface Manifest {
  dependencies?: Record<string, string>;
  bin?: Record<string, string>;
}

let folder: string;

/** Packs a workspace and unpacks it as `npm install` does, with the dependencies that its package.json names. */
function install(name: string, ...options: string[]): string {
  const [packed] = JSON.parse(
    execFileSync('npm', ['pack', '-w', name, '--json', '--pack-destination', folder, ...options], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }),
  ) as { filename: string }[];
  const target = join(folder, 'node_modules', name);
  mkdirSync(target, { recursive: true });
  execFileSync('tar', ['-xzf', join(folder, packed?.filename ?? ''), '-C', target, '--strip-components=1']);
  const { dependencies } = JSON.parse(readFileSync(join(target, 'package.json'), 'utf8')) as Manifest;
  for (const dependency of Object.keys(dependencies ?? {})) {
    const link = join(folder, 'node_modules', dependency);
    mkdirSync(dirname(link), { recursive: true });
    if (!existsSync(link)) symlinkSync(join(process.cwd(), 'node_modules', dependency), link);
  }
  return target;
}

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
    // The build of the repository has built it; building it again would write to `dist` during other tests.
    const target = install('@vitrine/embed', '--ignore-scripts');
    expect(
      run("const { embedTokens } = await import('@vitrine/embed'); console.log(typeof embedTokens)"),
    ).toBe('function\n');
    expect(existsSync(join(target, 'dist/index.d.ts'))).toBe(true);
    expect(existsSync(join(target, 'src'))).toBe(false);
  }, 60_000);

  test('@vitrine/power-bi-emulator: the function, its types, the program and its embed page', async () => {
    const target = install('@vitrine/power-bi-emulator');
    expect(existsSync(join(target, 'dist/server.d.ts'))).toBe(true);
    const { bin } = JSON.parse(readFileSync(join(target, 'package.json'), 'utf8')) as Manifest;
    const program = spawn(process.execPath, [join(target, bin?.['power-bi-emulator'] ?? '')], {
      cwd: folder,
    });
    try {
      const [printed] = (await once(program.stdout.setEncoding('utf8'), 'data')) as [string];
      const url = /http:\/\/\S+/.exec(printed)?.[0] ?? '';
      expect((await fetch(`${url}/__emulator/settings`)).status).toBe(200);
      const page = await fetch(`${url}/reportEmbed`);
      expect([page.status, page.headers.get('content-type')]).toEqual([
        200,
        expect.stringContaining('text/html'),
      ]);
    } finally {
      program.kill();
      await once(program, 'close');
    }
  }, 60_000);
});
