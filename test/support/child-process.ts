import { type ChildProcess } from 'node:child_process';
import { once } from 'node:events';

/** Longer than any shutdown of the tests takes. */
const FORCED_MS = 20_000;

export const isRunning = ({ pid, exitCode, signalCode }: ChildProcess): boolean =>
  pid !== undefined && exitCode === null && signalCode === null;

/** Waits for the process itself: `close` would also wait for every process that inherited its pipes. */
export async function waitForExit(child: ChildProcess): Promise<number | null> {
  if (isRunning(child)) await once(child, 'exit');
  return child.exitCode;
}

/** Sends the signal, also to a paused process, and SIGKILL after a safety limit. Returns the exit code. */
export async function endProcess(
  child: ChildProcess,
  signal: NodeJS.Signals = 'SIGTERM',
  forcedMs = FORCED_MS,
): Promise<number | null> {
  child.kill(signal);
  child.kill('SIGCONT');
  // Node can deadlock in `process.exit` (nodejs/node#54918).
  const forced = setTimeout(() => child.kill('SIGKILL'), forcedMs);
  const code = await waitForExit(child);
  clearTimeout(forced);
  return code;
}
