import { useEffect, useState } from 'react';
import { type ServiceState, serviceState } from './service-state.js';

/** Seconds between checks while the service does not respond. */
const WAITS = [2, 4, 8, 15];
const LONGEST = 30;

interface Watched {
  /** Undefined until the first check is done. */
  state: ServiceState | undefined;
  /** Whether the service was unreachable before. */
  cameBack: boolean;
  check: () => void;
}

/** Whether the service responds; checked again after a wait, and at once when the browser is online again. */
export function useServiceState(): Watched {
  const [watched, setWatched] = useState<{ state?: ServiceState; failures: number }>({ failures: 0 });
  const [checks, setChecks] = useState(0);
  const check = () => setChecks((count) => count + 1);
  useEffect(() => {
    let isCurrent = true;
    const look = async () => {
      const state = await serviceState();
      if (!isCurrent) return;
      setWatched(({ failures }) => ({ state, failures: failures + (state === 'unreachable' ? 1 : 0) }));
    };
    void look();
    return () => {
      isCurrent = false;
    };
  }, [checks]);
  useEffect(() => {
    if (watched.state !== 'unreachable') return undefined;
    const timer = setTimeout(check, (WAITS[watched.failures - 1] ?? LONGEST) * 1000);
    addEventListener('online', check);
    return () => {
      clearTimeout(timer);
      removeEventListener('online', check);
    };
  }, [watched]);
  return { state: watched.state, cameBack: watched.state !== 'unreachable' && watched.failures > 0, check };
}
