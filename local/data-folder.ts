import { mkdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { InUse, lock } from './lock.js';

/** Makes us the one owner of the data folder, until disposed or the process is gone, however it goes. */
export function openDataFolder(path: string, parts: AsyncDisposableStack): string {
  // Passable, as the database may have to run as somebody else; what is secret in there is closed itself.
  mkdirSync(path, { recursive: true, mode: 0o711 });
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
