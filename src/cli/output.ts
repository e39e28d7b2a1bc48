import type { Page } from '../core/lists/pagination.js';

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
