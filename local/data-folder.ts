import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { InUse, lock } from './lock.js';
import { makeFolder } from './make-folder.js';

/** Locks the data folder for this process, until disposed or the process ends. */
export function openDataFolder(path: string, parts: AsyncDisposableStack): string {
  // Traversable, because the database may run under another account; files with secrets have their own permissions.
  makeFolder(path, 0o711);
  const folder = realpathSync(path);
  try {
    const release = lock(join(folder, 'lock'));
    process.once('exit', release);
    parts.defer(release);
  } catch (error) {
    if (!(error instanceof InUse)) throw error;
    const message = `${folder} is in use by another instance (PID ${error.pid}). Stop that instance, or set DATA_DIR.`;
    throw new Error(message, { cause: error });
  }
  return folder;
}
