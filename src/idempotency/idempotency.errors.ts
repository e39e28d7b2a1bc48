import { Problem } from '../core/problems/problem.js';

export class IdempotencyKeyReused extends Problem {
  constructor() {
    super('idempotency_key_reused', 'This Idempotency-Key belongs to another request: use a new one.');
  }
}

export class IdempotencyInFlight extends Problem {
  constructor() {
    super('idempotency_in_flight', 'The first request with this Idempotency-Key is still at work.', {
      retryAfter: 1,
    });
  }
}

export class TooManyInFlight extends Problem {
  constructor() {
    super('service_unavailable', 'Too many changes at once. Try again.', { retryAfter: 1 });
  }
}
