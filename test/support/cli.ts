import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { built, compileCache } from './program.js';

interface Ended {
  code: number;
  stdout: string;
  stderr: string;
}

/** Runs the command line as a separate process, with only these variables of the service. */
export async function vitrine(
  environment: Record<string, string>,
  args: readonly string[],
  input = '',
): Promise<Ended> {
  const env = { ...compileCache, ...environment };
  const child = spawn(process.execPath, [built('src/cli/vitrine.js'), ...args], { env });
  child.stdin.end(input);
  const [[code], stdout, stderr] = await Promise.all([
    once(child, 'exit') as Promise<[number]>,
    text(child.stdout),
    text(child.stderr),
  ]);
  return { code, stdout, stderr };
}

/** Runs it for a reader that stops at once, like `| head -0`. */
export async function vitrineUnread(
  environment: Record<string, string>,
  args: readonly string[],
): Promise<Omit<Ended, 'stdout'>> {
  const env = { ...compileCache, ...environment };
  const child = spawn(process.execPath, [built('src/cli/vitrine.js'), ...args], { env });
  child.stdin.end();
  child.stdout.destroy();
  const [[code], stderr] = await Promise.all([once(child, 'exit') as Promise<[number]>, text(child.stderr)]);
  return { code, stderr };
}

/** Runs it with `--json` and parses the output. */
export async function vitrineJson<T>(
  environment: Record<string, string>,
  ...args: string[]
): Promise<{ code: number; body: T }> {
  const { code, stdout, stderr } = await vitrine(environment, [...args, '--json']);
  return { code, body: JSON.parse(stdout || stderr) as T };
}
