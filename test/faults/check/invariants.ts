import { guessBound, monotonic, noOneLetIn, revocationIsFinal, rotation, tenantIsolation } from './access.js';
import {
  availability,
  boundedAnswers,
  noLeaks,
  processes,
  resources,
  retryAmplification,
} from './behaviour.js';
import type { Evidence, Invariant } from './evidence.js';
import { atomicity, auditCompleteness, nothingDoubled, nothingLost } from './writes.js';

/** By the numbers that they have in the plan. */
export const invariants: [number, string, Invariant][] = [
  [1, 'nothing lost', nothingLost],
  [2, 'nothing doubled', nothingDoubled],
  [3, 'no one let in', noOneLetIn],
  [4, 'revocation is final', revocationIsFinal],
  [5, 'rotation', rotation],
  [6, 'tenant isolation', tenantIsolation],
  [7, 'guess bound', guessBound],
  [8, 'no secret leaks', noLeaks],
  [9, 'atomicity', atomicity],
  [10, 'audit completeness', auditCompleteness],
  [11, 'bounded answers', boundedAnswers],
  [12, 'availability', availability],
  [13, 'retry amplification', retryAmplification],
  [14, 'resources', resources],
  [15, 'process', processes],
  [16, 'monotonic sessions', monotonic],
];

export interface Breach {
  number: number;
  name: string;
  what: string[];
}

/** Those that do not hold, with what shows it. */
export const breachesOf = (evidence: Evidence): Breach[] =>
  invariants
    .map(([number, name, invariant]) => ({ number, name, what: invariant(evidence) }))
    .filter(({ what }) => what.length > 0);
