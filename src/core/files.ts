import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';

/**
 * Replaces a file, or creates it, so that only its owner can read it. A crash leaves either the old or the new content; a
 * failure leaves no copy of the new one, which may be a secret.
 */
export function replaceFile(file: string, content: string): void {
  const draft = `${file}.${process.pid}.new`;
  try {
    writeFileSync(draft, content, { mode: 0o600, flush: true });
    renameSync(draft, file);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}

/** The stored text, or null if there is none. Throws the errors of Node. */
export function readIfExists(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
