import { type ChildProcess, fork, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endProcess } from '../support/child-process.js';

interface Apart {
  /** The repository. */
  root: string;
  program: string;
  order: object;
  limitSeconds: number;
}

interface Leftovers {
  endAllOf: (folder: string) => Promise<string[]>;
}

const running = new Set<ChildProcess>();

let isStopping = false;

/** Ends this process, after the programs that are running. */
export function stopAll(): void {
  isStopping = true;
  if (running.size === 0) process.exit(130);
  for (const child of running) void endProcess(child);
}

/** The file systems that a scenario mounted. */
function unmountBelow(folder: string): void {
  if (!existsSync('/proc/mounts')) return;
  const mounted = readFileSync('/proc/mounts', 'utf8')
    .split('\n')
    .map((line) => line.split(' ')[1] ?? '');
  for (const path of mounted.filter((each) => each.startsWith(`${folder}/`)))
    spawnSync('umount', ['-l', path]);
}

/**
 * Runs a program that sends its result to this process, with its own temporary folder, and kills it after the limit.
 * Nothing that it started outlives it. Throws if it sends no result.
 */
export async function runApart<T>({ root, program, order, limitSeconds }: Apart): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-faults-'));
  // The database server runs as another user.
  chmodSync(folder, 0o711);
  const child = fork(program, [JSON.stringify(order)], { env: { ...process.env, TMPDIR: folder } });
  running.add(child);
  let result: T | undefined;
  child.once('message', (message) => (result = message as T));
  let isLate = false;
  const limit = setTimeout(() => {
    isLate = true;
    child.kill('SIGKILL');
  }, limitSeconds * 1000);
  const [code, signal] = (await once(child, 'exit')) as [number | null, string | null];
  clearTimeout(limit);
  running.delete(child);
  const { endAllOf } = (await import(join(root, 'test/leftovers.js'))) as Leftovers;
  const left = await endAllOf(folder);
  unmountBelow(folder);
  if (process.env['FAULTS_KEEP'] === undefined) rmSync(folder, { recursive: true, force: true });
  if (isStopping) process.exit(130);
  if (isLate) throw new Error(`it did not end within ${limitSeconds} s; running: ${left.join('; ')}`);
  if (result === undefined) throw new Error(`it ended with ${code ?? signal}: see above`);
  return result;
}
