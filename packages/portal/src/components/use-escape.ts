import { useEffect, useEffectEvent } from 'react';

/** What closes each open window; the topmost is last. */
const open: unknown[] = [];

/** An open list of choices closes first: its field has this attribute meanwhile. */
const isTaken = (target: EventTarget | null): boolean =>
  target instanceof Element && target.getAttribute('data-mantine-stop-propagation') === 'true';

/**
 * Escape closes the topmost window only, wherever the focus is. With `closeOnEscape` of Mantine, each open window would close,
 * also the one with a form below the search.
 */
export function useEscape(isOpen: boolean, onEscape: () => void): void {
  const escape = useEffectEvent(onEscape);
  useEffect(() => {
    if (!isOpen) return undefined;
    const press = (event: KeyboardEvent): void => {
      if (event.key !== 'Escape' || event.isComposing || isTaken(event.target)) return;
      if (open.at(-1) === press) escape();
    };
    open.push(press);
    addEventListener('keydown', press, { capture: true });
    return () => {
      open.splice(open.indexOf(press), 1);
      removeEventListener('keydown', press, { capture: true });
    };
  }, [isOpen]);
}
