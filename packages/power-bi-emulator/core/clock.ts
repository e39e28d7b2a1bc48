/** The emulator's time: the system time plus the offset that a test requested. */
export class Clock {
  private offset = 0;

  now(): Date {
    return new Date(Date.now() + this.offset);
  }

  /** Whole seconds since 1970, as in JWT claims. */
  seconds(): number {
    return Math.floor(this.now().getTime() / 1000);
  }

  advance(seconds: number): void {
    this.offset += seconds * 1000;
  }

  reset(): void {
    this.offset = 0;
  }
}
