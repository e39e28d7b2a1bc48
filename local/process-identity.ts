import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

function ps(column: string, pid: number): string {
  try {
    return execFileSync('ps', ['-o', `${column}=`, '-p', String(pid)], { encoding: 'utf8' }).trim();
  } catch {
    return '';
  }
}

/**
 * Start time of a process, for comparison only: a PID may be reused by another program. Null if no such process runs
 * or if it is a zombie.
 */
export function startOf(pid: number): string | null {
  if (process.platform !== 'linux') return ps('lstart', pid) || null;
  const stat = read(`/proc/${pid}/stat`);
  // proc(5): the second field is the program's name in parentheses, which can contain spaces and parentheses.
  const [state, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  if (!stat || state === 'Z' || state === 'X') return null;
  const ticksSinceBoot = fields[18];
  return `${read('/proc/sys/kernel/random/boot_id').trim()} ${ticksSinceBoot}`;
}

/** The arguments of a process's command line; empty if there is none. Where only `ps` is available, one string. */
export function commandOf(pid: number): string[] {
  if (process.platform !== 'linux') return [ps('command', pid)];
  return read(`/proc/${pid}/cmdline`).split('\0');
}
