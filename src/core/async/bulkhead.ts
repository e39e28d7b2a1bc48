/** The queue is full, or no slot was released in time. */
export class Busy extends Error {}

/** Limits concurrency, with a short queue of bounded wait. Tasks that gave up have no place in the queue. */
export class Bulkhead {
  private active = 0;
  /** Gives the slot to a waiting task; in the order of their arrival. */
  private readonly waiting = new Set<() => void>();

  constructor(
    private readonly concurrent: number,
    private readonly queueSize: number,
  ) {}

  get running(): number {
    return this.active;
  }

  get queued(): number {
    return this.waiting.size;
  }

  /** Throws Busy, or the reason of `signal` if it aborts before the work begins. */
  async run<T>(work: () => Promise<T>, waitMs: number, signal?: AbortSignal): Promise<T> {
    signal?.throwIfAborted();
    if (this.active < this.concurrent) this.active += 1;
    else await this.turn(waitMs, signal);
    try {
      return await work();
    } finally {
      this.release();
    }
  }

  private async turn(waitMs: number, signal?: AbortSignal): Promise<void> {
    if (this.waiting.size >= this.queueSize) throw new Busy('the queue is full');
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const giveUp = (reason: unknown): void => {
      if (this.waiting.delete(resolve)) reject(reason);
    };
    const onAbort = (): void => giveUp(signal?.reason);
    const timer = setTimeout(() => giveUp(new Busy('no slot was released in time')), waitMs);
    signal?.addEventListener('abort', onAbort, { once: true });
    this.waiting.add(resolve);
    try {
      await promise;
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
    }
  }

  /** The slot of a finished task goes to the next one. */
  private release(): void {
    const [next] = this.waiting;
    if (next === undefined) {
      this.active -= 1;
      return;
    }
    this.waiting.delete(next);
    next();
  }
}
