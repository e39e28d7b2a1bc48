import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { commandOf, startOf } from './process-identity.js';

/** Time for each of the signals. */
const LIMIT_MS = 20_000;
/** A fast shutdown, one that makes the next start recover, and the end of a server that does not respond. */
const signals = ['SIGINT', 'SIGQUIT', 'SIGKILL'] as const;

/** The lines of the lock file of a database folder; none without a server. */
export function lockFile(data: string): string[] {
  try {
    return readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n');
  } catch {
    return [];
  }
}

function isServerOf(data: string, pid: number): boolean {
  const command = commandOf(pid).join(' ');
  return command.includes('postgres') && command.includes(` ${data} `);
}

async function endServer(pid: number, limitMs: number): Promise<void> {
  const started = startOf(pid);
  for (const signal of signals) {
    process.kill(pid, signal);
    // A paused process receives no signal but SIGKILL.
    process.kill(pid, 'SIGCONT');
    for (const end = Date.now() + limitMs; Date.now() < end; await sleep(20)) {
      if (startOf(pid) !== started) return;
    }
  }
  throw new Error(
    `The database server of a previous start (PID ${pid}) does not stop. End it, then start again.`,
  );
}

/** Ends the server that a killed process left behind, and removes a stale lock, even if its PID is in use again. */
export async function clearLeftover(
  data: string,
  log: (line: string) => void,
  limitMs = LIMIT_MS,
): Promise<void> {
  const pid = Number(lockFile(data)[0]);
  if (!(pid > 0)) return;
  if (startOf(pid) !== null && isServerOf(data, pid)) {
    log(`Stopping the database server of a previous start (PID ${pid})`);
    await endServer(pid, limitMs);
  }
  rmSync(join(data, 'postmaster.pid'), { force: true });
}
