const RESERVE = 10;
const SHARE = 0.1;

/**
 * Retries may add a tenth to the calls, and a small reserve beyond, however long an outage lasts. No clock: what an
 * outage used up comes back with the calls that follow.
 */
export class RetryBudget {
  private tokens = RESERVE;

  /** A first try. */
  deposit(): void {
    this.tokens = Math.min(RESERVE, this.tokens + SHARE);
  }

  /** Whether one more try may be made. */
  withdraw(): boolean {
    if (this.tokens < 1) return false;
    this.tokens -= 1;
    return true;
  }
}
