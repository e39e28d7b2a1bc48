import { InvalidRequest } from '../core/problems/problem.js';

/** Null without an expiry. Throws InvalidRequest, which names the field, for a time in the past. */
export function futureExpiry(expiresAt: Date | undefined, now: Date, pointer = '/expires_at'): Date | null {
  if (expiresAt === undefined) return null;
  if (expiresAt > now) return expiresAt;
  throw new InvalidRequest([{ pointer, detail: 'expires_at must be in the future' }]);
}
