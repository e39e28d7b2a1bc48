import { isDeepStrictEqual } from 'node:util';

/** Changed properties with old and new value, by their names in the API. */
export type Differences = Record<string, { from: unknown; to: unknown }>;

/** For the details of an entry; those of people through `auditedChange`. */
export function differences(before: object, changes: object): Differences {
  const previous = before as Record<string, unknown>;
  const entries = Object.entries(changes)
    .filter(([name, value]) => value !== undefined && !isDeepStrictEqual(previous[name], value))
    .map(([name, value]) => [inSnakeCase(name), { from: previous[name], to: value as unknown }] as const);
  return Object.fromEntries(entries);
}

const inSnakeCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
