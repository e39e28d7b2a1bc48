import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Ran {
  stdout: string;
  stderr: string;
  /** Commands that failed, as `status: command`; a failure in a condition is none. */
  failures: string[];
}

/**
 * A status of 400 or more is a failure of curl here, so that no block passes with an error response. Commands that would
 * reinstall packages or run the tests fail: such a block must be marked as not run.
 */
const preamble = `
set -E -o pipefail
curl() { command curl --fail-with-body "$@"; }
npm() {
  case "$*" in
    run\\ power-bi:live-check*) command npm "$@" ;;
    *) echo "npm $* is not for a test" >&2; return 99 ;;
  esac
}
`;

const around = (text: string, out: string): string => `
trap 'printf "%s: %s\\n" "$?" "$BASH_COMMAND" >> ${out}.failures' ERR
: > ${out}.failures
{
${text}
} < /dev/null > ${out}.stdout 2> ${out}.stderr
echo > ${out}.done
`;

/**
 * `program` runs the script where it is not this shell's business, and may write to `folder` only.
 * Runs blocks one after the other in one shell, as a reader does who pastes them. A block that was never reached, as the
 * shell ended before, has no result.
 */
export async function runInShell(
  blocks: readonly string[],
  environment: Record<string, string | undefined>,
  seconds: number,
  program: (script: string, folder: string) => string[] = (script) => ['bash', script],
): Promise<(Ran | undefined)[]> {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-docs-'));
  const out = (index: number): string => join(folder, String(index));
  const script = join(folder, 'script');
  writeFileSync(script, preamble + blocks.map((text, index) => around(text, out(index))).join(''));
  const [command = '', ...args] = program(script, folder);
  const shell = spawn(command, args, {
    env: environment,
    stdio: ['ignore', 'ignore', 'inherit'],
    detached: true,
  });
  const ended = once(shell, 'exit');
  const tooLong = setTimeout(() => killGroup(shell.pid), seconds * 1000);
  await ended;
  clearTimeout(tooLong);
  // What a block has left running in the background.
  killGroup(shell.pid);
  const results = blocks.map((_, index) => resultOf(out(index)));
  rmSync(folder, { recursive: true });
  return results;
}

function killGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
}

function resultOf(out: string): Ran | undefined {
  const read = (part: string): string => readFileSync(`${out}.${part}`, 'utf8');
  try {
    read('done');
    const failures = read('failures').split('\n').filter(Boolean);
    return { stdout: read('stdout'), stderr: read('stderr'), failures };
  } catch {
    return undefined;
  }
}
