/** Longer steps are not counted: visible pages count every minute unless the machine sleeps. */
const MAX_STEP_MS = 90_000;

/** Adds up the time for which the page was visible. */
export class VisibleTime {
  private total = 0;
  /** When visible time was last added; undefined while the page is hidden. */
  private since: number | undefined;

  constructor(
    private readonly now: () => number,
    isVisible: boolean,
  ) {
    this.set(isVisible);
  }

  set(isVisible: boolean): void {
    this.count();
    this.since = isVisible ? this.now() : undefined;
  }

  /** Milliseconds so far. */
  read(): number {
    this.count();
    return Math.round(this.total);
  }

  private count(): void {
    if (this.since === undefined) return;
    const now = this.now();
    this.total += Math.min(now - this.since, MAX_STEP_MS);
    this.since = now;
  }
}
