import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

function read(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
}

function ps(column: string, pid: number): string {
  try {
    return execFileSync('ps', ['-o', `${column}=`, '-p', String(pid)], { encoding: 'latin1' }).trim();
  } catch {
    return '';
  }
}

/**
 * When a process started, in a form that only serves to compare: a PID alone may by now belong to
 * another program. Null when no such process runs; a zombie does not.
 */
export function startOf(pid: number): string | null {
  if (process.platform !== 'linux') return ps('lstart', pid) || null;
  const stat = read(`/proc/${pid}/stat`);
  // proc(5): the second field is the program's name in brackets and may itself hold spaces and brackets.
  const [state, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  if (!stat || state === 'Z' || state === 'X') return null;
  const ticksSinceBoot = fields[18];
  return `${read('/proc/sys/kernel/random/boot_id').trim()} ${ticksSinceBoot}`;
}

/** The words of a process's command line, empty when there is none. (One string where only `ps` tells.) */
export function commandOf(pid: number): string[] {
  if (process.platform !== 'linux') return [ps('command', pid)];
  return read(`/proc/${pid}/cmdline`).split('\0');
}
