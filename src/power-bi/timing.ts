import { setTimeout as wait } from 'node:timers/promises';

/** Waiting and chance, so that tests can stand in for both. */
export interface Timing {
  /** Rejects with the reason of `signal` as soon as it aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** From 0 up to, but not, 1. */
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
