import { useEffect, useState } from 'react';
import { useParameter } from './use-parameter.js';

/** A dialog that `?new=yes` of a link opens. The parameter is removed, so that a reload or Back does not open it again. */
export function useNewDialog() {
  const [asked, setAsked] = useParameter('new');
  const [isOpen, setIsOpen] = useState(asked !== null);
  useEffect(() => {
    if (asked === null) return;
    setIsOpen(true);
    setAsked(null);
  }, [asked]);
  return { isOpen, open: () => setIsOpen(true), close: () => setIsOpen(false) };
}
