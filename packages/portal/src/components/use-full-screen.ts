import { useSyncExternalStore } from 'react';

function subscribe(listener: () => void): () => void {
  document.addEventListener('fullscreenchange', listener);
  return () => document.removeEventListener('fullscreenchange', listener);
}

/** The element in full screen: what is outside is not drawn and takes no focus. iPhones have none, not even null. */
export const useFullScreen = (): Element | null =>
  useSyncExternalStore(subscribe, () => document.fullscreenElement);
