import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import { startOf } from '../../local/process-identity.js';
import { processesOfTest } from '../support/processes-of-test.js';
import { until } from '../support/until.js';

const endsWithTest = processesOfTest();

const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };

describe('npm scripts run in cmd.exe and in sh (D9)', () => {
  test.each(Object.entries(scripts))('%s', (_name, script) => {
    // Nothing that either shell would take for its own: variables, quotes, globs, redirections, `;` and `&`.
    expect(script.replaceAll(' && ', ' ')).toMatch(/^[\w@:./= -]+$/);
    const programs = script.split(' && ').map((command) => command.split(' '));
    const known = ['node', 'prettier', 'oxlint', 'tsc', 'openapi-typescript', 'typeorm'];
    expect(programs.filter(([program = '']) => !known.includes(program))).toEqual([]);
    const files = programs
      .filter(([program]) => program === 'node')
      .map((words) => words.find((word) => word.endsWith('.js') && !word.startsWith('./')) ?? 'none');
    expect(files.filter((file) => !file.startsWith('dist/') && !existsSync(file))).toEqual([]);
  });

  test('there are no pre, post or install scripts', () => {
    const hooks = Object.keys(scripts).filter((name) => /^(pre|post)/.test(name) || name === 'install');
    expect(hooks).toEqual([]);
  });
});

describe("a program started by npm ends together with npm's shell (D9)", () => {
  const guard = pathToFileURL('local/npm-script.js').href;
  const run = async (onSignal: string): Promise<{ pid: number; folder: string }> => {
    const folder = mkdtempSync(join(tmpdir(), 'npm-script-'));
    const program = join(folder, 'program.mjs');
    writeFileSync(
      program,
      `import fs from 'node:fs'; import '${guard}'; ${onSignal}
       setInterval(() => {}, 1000); fs.writeFileSync('pid', String(process.pid));`,
    );
    // The command after it keeps the shell from becoming the program.
    const script = `"${process.execPath}" program.mjs; true`;
    const env = { npm_lifecycle_event: 'start' };
    const shell = endsWithTest(spawn('sh', ['-c', script], { cwd: folder, env, stdio: 'ignore' }));
    const pid = await until(
      () => existsSync(join(folder, 'pid')) && (Number(readFileSync(join(folder, 'pid'), 'utf8')) || null),
    );
    const gone = once(shell, 'exit');
    shell.kill('SIGKILL');
    await gone;
    return { pid, folder };
  };

  test('through its own SIGTERM handler, if it has one', async () => {
    const handler = `process.on('SIGTERM', () => { fs.writeFileSync('ended', ''); process.exit(); });`;
    const { pid, folder } = await run(handler);
    await until(() => startOf(pid) === null);
    expect(existsSync(join(folder, 'ended'))).toBe(true);
    rmSync(folder, { recursive: true });
  });

  test('immediately, if it has none', async () => {
    const { pid, folder } = await run('');
    await until(() => startOf(pid) === null);
    rmSync(folder, { recursive: true });
  });
});
