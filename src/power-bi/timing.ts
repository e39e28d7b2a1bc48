import { setTimeout as wait } from 'node:timers/promises';

/** Delays and randomness, replaceable in tests. */
export interface Timing {
  /** Rejects with the reason of `signal` as soon as it aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** At least 0 and less than 1. */
  random(): number;
}

export const realTiming: Timing = {
  async sleep(ms, signal) {
    try {
      await wait(ms, undefined, { signal });
    } catch (error) {
      signal?.throwIfAborted();
      throw error;
    }
  },
  random: () => Math.random(),
};
