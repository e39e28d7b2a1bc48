const RESERVE = 10;
const SHARE = 0.1;

/**
 * Retries may add a tenth to the calls, and a small reserve beyond. Only good answers earn them: while nothing works,
 * trying again is no help, and the reserve is all that is spent, however long that lasts.
 */
export class RetryBudget {
  private tokens = RESERVE;

  /** A good answer came. */
  earn(): void {
    this.tokens = Math.min(RESERVE, this.tokens + SHARE);
  }

  /** Whether one more try may be made. */
  spend(): boolean {
    if (this.tokens < 1) return false;
    this.tokens -= 1;
    return true;
  }
}
