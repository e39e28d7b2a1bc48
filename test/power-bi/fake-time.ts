import { jest } from '@jest/globals';
import type { Timing } from '../../src/power-bi/timing.js';

const real = [
  'hrtime',
  'nextTick',
  'performance',
  'queueMicrotask',
  'setImmediate',
  'clearImmediate',
  'setInterval',
  'clearInterval',
  'setTimeout',
  'clearTimeout',
] as const;

interface Sleeper {
  at: number;
  wake: () => void;
}

/** A clock that stands still until it is moved. Sockets and timers stay real; only the date and our own waits are not. */
export class FakeTime implements Timing {
  private sleepers: Sleeper[] = [];

  constructor() {
    jest.useFakeTimers({ doNotFake: [...real], now: Date.now() });
  }

  /** No jitter, except where a test says so. */
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
