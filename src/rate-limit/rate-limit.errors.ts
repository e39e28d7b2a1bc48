import { Problem } from '../core/problems/problem.js';

/** The same for every limit, so that it does not reveal which one applies. */
export class TooManyAttempts extends Problem {
  constructor(retryAfter: number) {
    super('rate_limited', 'Too many attempts. Try again later.', { retryAfter });
  }
}
