import { readFileSync, renameSync, writeFileSync } from 'node:fs';

/** Only the owner can read it, and a crash leaves the old content or the new. */
export function keep(file: string, content: string): void {
  const draft = `${file}.${process.pid}.new`;
  writeFileSync(draft, content, { mode: 0o600, flush: true });
  renameSync(draft, file);
}

/** The text that was kept, or null when there is none yet. */
export function kept(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
