import { AsyncLocalStorage } from 'node:async_hooks';
import { bulkhead, isBulkheadRejectedError } from 'cockatiel';

/** The queue is full, or no slot was released in time. */
export class Busy extends Error {}

/** Limits concurrency, with a short queue of bounded wait (cockatiel's own queue waits without limit). */
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

  /** Throws Busy, or the reason of `signal` if it aborts while the work is queued. */
  async run<T>(work: () => Promise<T>, waitMs: number, signal?: AbortSignal): Promise<T> {
    // The request that releases a slot starts queued work: bind it to the async context of its own request.
    const own = AsyncLocalStorage.bind(work);
    const waiting = new AbortController();
    const { promise: given, reject: giveUp } = Promise.withResolvers<never>();
    const stop = (reason: unknown): void => {
      waiting.abort();
      giveUp(reason);
    };
    const onAbort = (): void => stop(signal?.reason);
    const timer = setTimeout(() => stop(new Busy('no slot was released in time')), waitMs);
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
