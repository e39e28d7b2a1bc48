/** The emulator's own time: the machine's, moved on by as much as a test asked for. */
export class Clock {
  private offset = 0;

  now(): Date {
    return new Date(Date.now() + this.offset);
  }

  /** Whole seconds since 1970, as tokens count. */
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
