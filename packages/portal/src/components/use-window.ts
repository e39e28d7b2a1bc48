import { useEffect } from 'react';
import { useEscape } from './use-escape.js';
import { useFullScreen } from './use-full-screen.js';

/** For every window: Escape closes it. Returns whether to show it: a report in full screen, which would hide it, is left first. */
export function useWindow(isOpen: boolean, onClose: () => void): boolean {
  const fullScreen = useFullScreen();
  useEscape(isOpen, onClose);
  useEffect(() => {
    if (isOpen && fullScreen) document.exitFullscreen().catch(() => undefined);
  }, [isOpen, fullScreen]);
  return isOpen && !fullScreen;
}
