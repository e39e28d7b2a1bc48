import type { EmbedAccess, EmbedToken, KeptToken, PowerBiReport } from '@vitrine/embed';
import { useEffect, useRef, useState } from 'react';
import type { ProblemError } from '../api/problem.js';
import { asProblem, tokens } from './embed-tokens.js';

interface Keeping {
  /** The first that came. Those after it reach the report without anything being drawn anew. */
  first?: EmbedToken;
  /** Why there is no newer one for now. */
  trouble?: ProblemError;
  /** Why there will be none. */
  end?: ProblemError;
  /** The last one ran out. */
  isExpired: boolean;
}

/** Keeps a token alive while the component is there. For another report or access, give that another `key`. */
export function useKeptToken(reportId: string, access: EmbedAccess) {
  const [keeping, setKeeping] = useState<Keeping>({ isExpired: false });
  const kept = useRef<KeptToken>(null);
  useEffect(() => {
    const change = (part: Partial<Keeping>) => setKeeping((before) => ({ ...before, ...part }));
    const keep = tokens.keep({
      reportId,
      access,
      onToken: (token) => setKeeping(({ first = token }) => ({ first, isExpired: false })),
      onTrouble: (problem) => change({ trouble: asProblem(problem) }),
      onExpired: () => change({ isExpired: true }),
      onRevoked: (problem) => change({ end: asProblem(problem) }),
      onFailed: (problem) => change({ end: asProblem(problem) }),
    });
    kept.current = keep;
    return () => keep.stop();
  }, [reportId, access]);
  return {
    ...keeping,
    attach: (report: PowerBiReport) => kept.current?.attach(report),
    renew: () => kept.current?.renew(),
    stop: () => kept.current?.stop(),
  };
}
