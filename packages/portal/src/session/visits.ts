import { useEffect } from 'react';

/** A longer break ends a visit. */
const BREAK_MS = 30 * 60_000;
/** How often a visit is recorded while a page is read. */
const RECORD_MS = 5 * 60_000;

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

/** Begins or continues a visit. Returns when the person's previous visit in this browser ended; null at the first one. */
export function recordVisit(person: string): string | null {
  const now = Date.now();
  const key = `vitrine.visit.${person}`;
  const last = stored(key);
  const isNew = last !== undefined && last !== null && now - Date.parse(last.seen) > BREAK_MS;
  const previous = isNew ? last.seen : (last?.previous ?? null);
  localStorage.setItem(key, JSON.stringify({ previous, seen: new Date(now).toISOString() } satisfies Visit));
  return previous;
}

/** Records the visit whenever a page is opened, and while it is visible. */
export function useVisit(person: string | undefined, pathname: string): void {
  useEffect(() => {
    if (person === undefined) return undefined;
    recordVisit(person);
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') recordVisit(person);
    }, RECORD_MS);
    return () => clearInterval(timer);
  }, [person, pathname]);
}
