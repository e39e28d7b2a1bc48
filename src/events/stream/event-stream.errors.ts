import { Problem } from '../../core/problems/problem.js';

const RETRY_SECONDS = 5;

export class TooManyStreams extends Problem {
  constructor() {
    super('too_many_streams', 'You have too many open streams. Close one of them.', {
      retryAfter: RETRY_SECONDS,
    });
  }
}

export class NoStreamAvailable extends Problem {
  constructor() {
    super('service_unavailable', 'This replica cannot open another stream. Try again.', {
      retryAfter: RETRY_SECONDS,
    });
  }
}
