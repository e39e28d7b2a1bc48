import { useEffect, useState } from 'react';
import { useParameter } from './use-parameter.js';

/** A dialog that `?new=yes` of a link opens. The parameter is removed, so that a reload or Back does not open it again. */
export function useNewDialog() {
  const [parameter, setParameter] = useParameter('new');
  const [isOpen, setIsOpen] = useState(parameter !== null);
  useEffect(() => {
    if (parameter === null) return;
    setIsOpen(true);
    setParameter(null);
  }, [parameter]);
  return { isOpen, open: () => setIsOpen(true), close: () => setIsOpen(false) };
}
