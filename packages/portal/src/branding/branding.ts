import { useSyncExternalStore } from 'react';
import { type Branding, basePath, settings } from '../settings.js';

let current = settings.branding;
const listeners = new Set<() => void>();

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const brandingNow = (): Branding => current;

/** The branding that the service put into the page, or that was saved in this tab since. */
export const useBranding = (): Branding => useSyncExternalStore(subscribe, brandingNow);

export const imageUrl = (path: string): string => `${basePath}/${path}`;

/** Title of the tab of a page. */
export const titleOf = (page: string): string => `${page} · ${current.productName}`;

/** Applies a saved change without a reload: other tabs have it with their next load. */
export function applyBranding(next: Branding): void {
  document.title = document.title.replace(current.productName, () => next.productName);
  current = next;
  document
    .querySelector<HTMLLinkElement>('link[rel=icon]')
    ?.setAttribute('href', imageUrl(next.favicon ?? 'favicon.svg'));
  for (const listener of listeners) listener();
}
