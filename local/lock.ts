import { createHash, randomUUID } from 'node:crypto';
import { linkSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { readIfExists } from '../src/core/files.js';
import { startOf } from './process-identity.js';

/** Another running process holds the lock. */
export class InUse extends Error {
  constructor(readonly pid: number) {
    super(`In use by process ${pid}`);
  }
}

function liveOwner(content: string): number | null {
  try {
    const { pid, started } = JSON.parse(content) as { pid: number; started: string };
    return startOf(pid) === started ? pid : null;
  } catch {
    return null;
  }
}

function link(draft: string, path: string): boolean {
  try {
    linkSync(draft, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/**
 * The lock of an ended process may be replaced only by the process that holds a second lock on exactly that lock. Of
 * several starts that find the same stale lock, none removes the new lock of another.
 */
function replaceStale(path: string, stale: string, draft: string): boolean {
  const claim = `${path}.${createHash('sha256').update(stale).digest('hex').slice(0, 12)}`;
  try {
    take(claim, draft);
  } catch (error) {
    const winner = liveOwner(readIfExists(path) ?? '');
    throw winner === null ? error : new InUse(winner);
  }
  if (readIfExists(path) === stale) {
    renameSync(claim, path);
    return true;
  }
  rmSync(claim);
  return false;
}

function take(path: string, draft: string): void {
  while (!link(draft, path)) {
    const found = readIfExists(path);
    if (found === null) continue;
    const owner = liveOwner(found);
    if (owner !== null) throw new InUse(owner);
    if (replaceStale(path, found, draft)) return;
  }
}

/** Locks the path for this process, until the returned function is called or the process ends. */
export function lock(path: string): () => void {
  const mine = JSON.stringify({ pid: process.pid, started: startOf(process.pid), id: randomUUID() });
  const draft = `${path}.${randomUUID()}.new`;
  // A hard link makes the lock visible with its complete content.
  writeFileSync(draft, mine, { mode: 0o600 });
  try {
    take(path, draft);
  } finally {
    rmSync(draft, { force: true });
  }
  return () => {
    if (readIfExists(path) === mine) rmSync(path, { force: true });
  };
}
