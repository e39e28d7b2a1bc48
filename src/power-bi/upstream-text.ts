/** A PostgreSQL btree row is limited to 2,704 bytes; the index key of the longest name takes 1,600. */
const MAX_NAME = 400;
const MAX_DESCRIPTION = 4000;
export const MAX_ID = 128;
export const MAX_URL = 4096;

/** Truncates to `max` code points; a truncated text ends with an ellipsis. */
function truncate(text: string, max: number): string {
  // A code point has at most two code units, so the slice has more than `max` code points whenever the text does.
  const points = Array.from(text.slice(0, 2 * (max + 1)));
  return points.length > max ? `${points.slice(0, max - 1).join('')}…` : text;
}

/** Text that PostgreSQL can store, without NUL characters and lone surrogates; undefined when it is empty. */
export function storable(value: unknown, max: number): string | undefined {
  if (typeof value !== 'string') return undefined;
  const text = truncate(value.replaceAll('\0', '').toWellFormed(), max);
  return text === '' ? undefined : text;
}

export const nameOf = (value: unknown): string | undefined => storable(value, MAX_NAME);

export const descriptionOf = (value: unknown): string | null => storable(value, MAX_DESCRIPTION) ?? null;
