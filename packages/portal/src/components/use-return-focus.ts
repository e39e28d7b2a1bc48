import { type RefObject, useLayoutEffect, useRef } from 'react';

/** For the button that a form replaces while it is open: the form has focus, and returns it. */
export function useReturnFocus(isOpen: boolean): RefObject<HTMLButtonElement | null> {
  const button = useRef<HTMLButtonElement>(null);
  const wasOpen = useRef(false);
  useLayoutEffect(() => {
    // Not from a control that has it by now, as the form of another row.
    if (wasOpen.current && !isOpen && document.activeElement === document.body) button.current?.focus();
    wasOpen.current = isOpen;
  }, [isOpen]);
  return button;
}
