import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import type { Command, Ended } from './cli-host.js';
import { built, compileCache } from './program.js';
import { isFull } from './test-size.js';

const program = built('src/cli/vitrine.js');

/** Runs the command line as a separate process, with only these variables of the service. */
export async function vitrineProcess(
  environment: Record<string, string>,
  args: readonly string[],
  input = '',
): Promise<Ended> {
  const env = { ...compileCache, ...environment };
  const child = spawn(process.execPath, [program, ...args], { env });
  child.stdin.end(input);
  const [[code], stdout, stderr] = await Promise.all([
    once(child, 'exit') as Promise<[number]>,
    text(child.stdout),
    text(child.stderr),
  ]);
  return { code, stdout, stderr };
}

let host: ChildProcess | undefined;
let last: Promise<unknown> = Promise.resolve();

async function inHost(command: Command): Promise<Ended> {
  if (host?.connected !== true) {
    host = fork(fileURLToPath(new URL('cli-host.ts', import.meta.url)), { env: compileCache, execArgv: [] });
    // It ends with this process.
    host.unref();
    host.channel?.unref();
  }
  const answered = new AbortController();
  const { signal } = answered;
  host.channel?.ref();
  host.send(command);
  try {
    const answer = once(host, 'message', { signal }) as Promise<[Ended]>;
    const exit = once(host, 'exit', { signal }).then(([code]) => {
      throw new Error(`The process of the command has ended with ${code}`);
    });
    return (await Promise.race([answer, exit]))[0];
  } finally {
    answered.abort();
    host.channel?.unref();
  }
}

/**
 * Runs the command line with only these variables of the service. To save the start of a process for each command, one process
 * runs them one after another; with TEST_SIZE=full each has its own.
 */
export function vitrine(
  environment: Record<string, string>,
  args: readonly string[],
  input = '',
): Promise<Ended> {
  if (isFull) return vitrineProcess(environment, args, input);
  const ended = last.then(() => inHost({ program, environment, args, input }));
  last = ended.catch(() => undefined);
  return ended;
}

/** Runs it for a reader that stops at once, like `| head -0`. */
export async function vitrineUnread(
  environment: Record<string, string>,
  args: readonly string[],
): Promise<Omit<Ended, 'stdout'>> {
  const env = { ...compileCache, ...environment };
  const child = spawn(process.execPath, [program, ...args], { env });
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
