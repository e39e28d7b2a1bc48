import { AsyncLocalStorage } from 'node:async_hooks';
import { bulkhead, isBulkheadRejectedError } from 'cockatiel';

/** No slot came free in time. */
export class Busy extends Error {}

/** At most so many at once, and a short queue whose wait is bounded (cockatiel's queue would wait for ever). */
export class Bulkhead {
  private readonly bulkhead;

  constructor(
    private readonly concurrent: number,
    private readonly queueSize: number,
  ) {
    this.bulkhead = bulkhead(concurrent, queueSize);
  }

  get running(): number {
    return this.concurrent - this.bulkhead.executionSlots;
  }

  get queued(): number {
    return this.queueSize - this.bulkhead.queueSlots;
  }

  /** Throws Busy, or the reason of `signal` when it aborts while the work still waits. */
  async run<T>(work: () => Promise<T>, waitMs: number, signal?: AbortSignal): Promise<T> {
    // What waited is started by whoever leaves, and is no part of that request.
    const own = AsyncLocalStorage.bind(work);
    const waiting = new AbortController();
    const { promise: given, reject: giveUp } = Promise.withResolvers<never>();
    const stop = (reason: unknown): void => {
      waiting.abort();
      giveUp(reason);
    };
    const onAbort = (): void => stop(signal?.reason);
    const timer = setTimeout(() => stop(new Busy('no slot came free')), waitMs);
    const started = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
    };
    signal?.addEventListener('abort', onAbort, { once: true });
    try {
      return await Promise.race([this.bulkhead.execute(() => (started(), own()), waiting.signal), given]);
    } catch (error) {
      throw isBulkheadRejectedError(error) ? new Busy('the queue is full', { cause: error }) : error;
    } finally {
      started();
    }
  }
}
