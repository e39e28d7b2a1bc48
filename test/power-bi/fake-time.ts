import { jest } from '@jest/globals';
import type { Timing } from '../../src/power-bi/timing.js';

interface Sleeper {
  at: number;
  wake: () => void;
}

/** A manual clock for the date and the waits of the client. Sockets and timers are real. */
export class FakeTime implements Timing {
  private sleepers: Sleeper[] = [];

  constructor() {
    jest.useFakeTimers({
      doNotFake: [
        'hrtime',
        'nextTick',
        'performance',
        'queueMicrotask',
        'requestAnimationFrame',
        'cancelAnimationFrame',
        'requestIdleCallback',
        'cancelIdleCallback',
        'setImmediate',
        'clearImmediate',
        'setInterval',
        'clearInterval',
        'setTimeout',
        'clearTimeout',
      ],
      now: Date.now(),
    });
  }

  /** No jitter, unless a test replaces it. */
  random = (): number => 0;

  get sleeping(): number {
    return this.sleepers.length;
  }

  async sleep(ms: number, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const sleeper = { at: Date.now() + ms, wake: resolve };
    this.sleepers.push(sleeper);
    signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
    return promise;
  }

  advance(seconds: number): void {
    jest.setSystemTime(Date.now() + seconds * 1000);
    const due = this.sleepers.filter(({ at }) => at <= Date.now());
    this.sleepers = this.sleepers.filter(({ at }) => at > Date.now());
    for (const { wake } of due) wake();
  }

  end(): void {
    jest.useRealTimers();
  }
}
