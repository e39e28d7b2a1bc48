import { Problem } from '../../core/problems/problem.js';

export class IdempotencyKeyReused extends Problem {
  constructor() {
    super('idempotency_key_reused', 'This Idempotency-Key was used for a different request. Use a new key.');
  }
}

export class IdempotencyInFlight extends Problem {
  constructor() {
    super('idempotency_in_flight', 'The first request with this Idempotency-Key is still in progress.', {
      retryAfter: 1,
    });
  }
}
