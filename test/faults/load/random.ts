/** Pseudo-random numbers from a seed (mulberry32). */
export class Random {
  constructor(private state: number) {}

  /** From 0 up to, not including, 1. */
  next(): number {
    this.state = (this.state + 0x6d_2b_79_f5) | 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  below(count: number): number {
    return Math.floor(this.next() * count);
  }

  /** Throws when there is nothing to choose from. */
  one<T>(choices: readonly T[]): T {
    const choice = choices[this.below(choices.length)];
    if (choice === undefined) throw new Error('Nothing to choose from');
    return choice;
  }

  chance(of: number): boolean {
    return this.next() < of;
  }

  /** One of the names, with the given proportions. */
  weighted<Name extends string>(shares: Partial<Record<Name, number>>): Name {
    const entries = Object.entries(shares) as [Name, number][];
    let left = this.next() * entries.reduce((sum, [, share]) => sum + share, 0);
    for (const [name, share] of entries) {
      left -= share;
      if (left < 0) return name;
    }
    return (entries.at(-1) as [Name, number])[0];
  }
}
