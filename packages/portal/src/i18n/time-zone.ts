import { useSyncExternalStore } from 'react';
import { currentTimeZone, setTimeZone } from './format.js';

const STORED = 'vitrine.time-zone';
const listeners = new Set<() => void>();

function isSupported(zone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

/** The time zone that was chosen last in this browser: the account is loaded after the first page is drawn. */
export function restoreTimeZone(): void {
  const stored = localStorage.getItem(STORED);
  if (stored !== null && isSupported(stored)) setTimeZone(stored);
}

/** Null is the browser's. Draws the page again if the time zone differs from the one in use. */
export function chooseTimeZone(zone: string | null): void {
  const chosen = zone !== null && isSupported(zone) ? zone : null;
  if (chosen === null) localStorage.removeItem(STORED);
  else localStorage.setItem(STORED, chosen);
  setTimeZone(chosen);
  listeners.forEach((notify) => notify());
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

export const useTimeZone = (): string => useSyncExternalStore(subscribe, currentTimeZone);
