import { readFileSync, renameSync, writeFileSync } from 'node:fs';

/** Writes a file that only its owner can read. A crash leaves either the old or the new content. */
export function keep(file: string, content: string): void {
  const draft = `${file}.${process.pid}.new`;
  writeFileSync(draft, content, { mode: 0o600, flush: true });
  renameSync(draft, file);
}

/** The stored text, or null if there is none. */
export function kept(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
