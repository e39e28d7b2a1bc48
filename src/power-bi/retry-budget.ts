const RESERVE = 10;
const SHARE = 0.1;

/**
 * Retries may add a tenth to the calls, plus a small reserve. Only successful calls replenish the budget, so during an
 * outage of any length no more than the reserve is spent.
 */
export class RetryBudget {
  private tokens = RESERVE;

  /** Replenishes the budget after a successful response. */
  earn(): void {
    this.tokens = Math.min(RESERVE, this.tokens + SHARE);
  }

  /** Whether one more retry is allowed; takes it from the budget. */
  spend(): boolean {
    if (this.tokens < 1) return false;
    this.tokens -= 1;
    return true;
  }
}
