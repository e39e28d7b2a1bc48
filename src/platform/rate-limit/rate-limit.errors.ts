import { Problem } from '../../core/problems/problem.js';

/** The same for every limit, so that it does not reveal which one applies. */
export class TooManyAttempts extends Problem {
  constructor(retryAfter: number) {
    const wait = retryAfter === 1 ? '1 second' : `${retryAfter} seconds`;
    super('rate_limited', `Try again in ${wait}.`, { retryAfter });
  }
}
