import { chmodSync, mkdirSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/** Creates a folder and its parents with this mode, whatever the umask. What exists already keeps its mode. */
export function makeFolder(path: string, mode: number): void {
  const first = mkdirSync(path, { recursive: true, mode });
  if (first === undefined) return;
  const top = resolve(first);
  for (let folder = resolve(path); folder.length >= top.length; folder = dirname(folder)) {
    chmodSync(folder, mode);
  }
}
