import type { ClaimedToken } from './ingest.queries.js';
import { rejectionOf, type RejectionCode, type UsageEvent } from './usage-event.js';

export interface Rejection {
  index: number;
  code: RejectionCode;
}

/** An event that may be accepted. */
export interface Candidate {
  index: number;
  event: UsageEvent;
}

const MAX_EVENTS_PER_MINUTE = 600;

export const rejectAll = (group: readonly Candidate[], code: RejectionCode): Rejection[] =>
  group.map(({ index }) => ({ index, code }));

/** Returns the events of one token that may be accepted, and adds the others to `rejected`. */
export function check(
  group: readonly Candidate[],
  token: ClaimedToken | undefined,
  now: Date,
  rejected: Rejection[],
): Candidate[] {
  if (token === undefined) {
    rejected.push(...rejectAll(group, 'unknown_token'));
    return [];
  }
  const left = Math.max(0, MAX_EVENTS_PER_MINUTE - (token.events - group.length));
  rejected.push(...rejectAll(group.slice(left), 'rate_limited'));
  return group.slice(0, left).filter(({ index, event }) => {
    const code = rejectionOf(event, token.issued_at, now);
    if (code !== undefined) rejected.push({ index, code });
    return code === undefined;
  });
}
