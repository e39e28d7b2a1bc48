import { Problem } from '../core/problems/problem.js';

/** The same for every limit: which one it was is nobody's business. */
export class TooManyAttempts extends Problem {
  constructor(retryAfter: number) {
    super('rate_limited', 'Too many attempts. Try again later.', { retryAfter });
  }
}
