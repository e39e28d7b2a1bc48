import {
  guessBound,
  monotonic,
  noUnauthorizedAccess,
  revocationIsFinal,
  rotation,
  tenantIsolation,
} from './access.js';
import {
  availability,
  boundedResponses,
  noLeaks,
  processes,
  resources,
  retryAmplification,
} from './behaviour.js';
import type { Evidence, Invariant } from './evidence.js';
import { atomicity, auditCompleteness, nothingDuplicated, nothingLost } from './writes.js';

/** By number, as in the report. */
export const invariants: [number, string, Invariant][] = [
  [1, 'nothing lost', nothingLost],
  [2, 'nothing duplicated', nothingDuplicated],
  [3, 'no access without a session', noUnauthorizedAccess],
  [4, 'revocation is final', revocationIsFinal],
  [5, 'rotation', rotation],
  [6, 'tenant isolation', tenantIsolation],
  [7, 'guess bound', guessBound],
  [8, 'no secret leaks', noLeaks],
  [9, 'atomicity', atomicity],
  [10, 'audit completeness', auditCompleteness],
  [11, 'bounded response times', boundedResponses],
  [12, 'availability', availability],
  [13, 'retry amplification', retryAmplification],
  [14, 'resources', resources],
  [15, 'processes', processes],
  [16, 'monotonic sessions', monotonic],
];

export interface Breach {
  number: number;
  name: string;
  what: string[];
}

/** The violated invariants, with the violations. */
export const breachesOf = (evidence: Evidence): Breach[] =>
  invariants
    .map(([number, name, invariant]) => ({ number, name, what: invariant(evidence) }))
    .filter(({ what }) => what.length > 0);
