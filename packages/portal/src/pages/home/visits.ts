/** A longer break ends a visit. */
const BREAK_MS = 30 * 60_000;

interface Visit {
  /** End of the visit before this one; null at the first visit. */
  previous: string | null;
  seen: string;
}

function stored(key: string): Visit | undefined {
  try {
    return JSON.parse(localStorage.getItem(key) ?? 'null') as Visit | undefined;
  } catch {
    return undefined;
  }
}

/** When the person's previous visit in this browser ended; null at the first one. */
export function previousVisit(person: string, now = Date.now()): string | null {
  const key = `vitrine.visit.${person}`;
  const last = stored(key);
  const isNew = last !== undefined && last !== null && now - Date.parse(last.seen) > BREAK_MS;
  const previous = isNew ? last.seen : (last?.previous ?? null);
  localStorage.setItem(key, JSON.stringify({ previous, seen: new Date(now).toISOString() } satisfies Visit));
  return previous;
}
