import type { Page } from '../core/lists/pagination.js';
import { exitCodes } from './exit-codes.js';

type Cell = string | number | Date | null;

const cell = (value: Cell): string => (value instanceof Date ? value.toISOString() : String(value ?? '-'));

/** Text table with columns sized to their content. */
export function table<K extends string>(rows: readonly Record<K, Cell>[], columns: readonly K[]): string {
  const body = rows.map((row) => columns.map((name) => cell(row[name])));
  const lines = [columns.map((name) => name.toUpperCase()), ...body];
  const widths = columns.map((_, index) => Math.max(...lines.map((line) => (line[index] ?? '').length)));
  return lines
    .map((line) =>
      line
        .map((text, index) => text.padEnd(widths[index] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** Prints text for users, or JSON in the API's format for scripts. */
export const print = (json: boolean, value: object, text: string): void =>
  console.log(json ? JSON.stringify(value) : text);

/**
 * A reader of the output that has enough, such as `head`, ends the command: quietly and with success, as SIGPIPE ends a
 * program in C. Without a reader of standard error the command continues and keeps its exit code.
 */
export function endWithReader(): void {
  const unlessClosed = (error: NodeJS.ErrnoException, atClosed: () => void): void => {
    if (error.code !== 'EPIPE') throw error;
    atClosed();
  };
  process.stdout.on('error', (error) => unlessClosed(error, () => process.exit(exitCodes.ok)));
  process.stderr.on('error', (error) => unlessClosed(error, () => undefined));
}

/** The reader that the cursors of paged lists are bound to. */
export const commandLine = { id: 'command line' };

export async function everyPage<T>(fetch: (cursor?: string) => Promise<Page<T>>): Promise<T[]> {
  const items: T[] = [];
  for (let cursor: string | undefined; ;) {
    const page = await fetch(cursor);
    items.push(...page.items);
    if (page.next === undefined) return items;
    cursor = page.next;
  }
}
