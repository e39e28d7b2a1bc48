import { useSyncExternalStore } from 'react';

const MINUTE_MS = 60_000;

/** All share one timer: a list has hundreds of times. */
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

function tick(): void {
  if (document.visibilityState === 'visible') for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) {
    timer = setInterval(tick, MINUTE_MS);
    document.addEventListener('visibilitychange', tick);
  }
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    document.removeEventListener('visibilitychange', tick);
  };
}

/**
 * A value that depends on the current time, such as `3 minutes ago`. It is computed again each minute, and when the page becomes
 * visible; the component is rendered only if the value differs.
 */
export const useNow = <Value extends string | number | boolean | undefined>(
  read: (now: number) => Value,
): Value => useSyncExternalStore(subscribe, () => read(Date.now()));
