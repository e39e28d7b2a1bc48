import { setTimeout as sleep } from 'node:timers/promises';
import type { Operations } from './operations.js';
import { Random } from './random.js';

export type Mix = Record<string, number>;

/** 60 % reads, 15 % embed tokens, 10 % refreshes, 5 % sign-ins, 5 % writes, 3 % invitations, 2 % attacks. */
export const usualMix: Mix = {
  list: 22,
  read: 24,
  me: 8,
  read_name: 6,
  embed: 15,
  refresh: 10,
  login: 4,
  rename: 2,
  member: 2,
  sign_out: 1,
  reuse: 0.6,
  password: 0.2,
  disable: 0.2,
  invite: 1.5,
  accept: 1.5,
  hostile: 2,
};

interface Plan {
  /** Requests a second. */
  rate: number;
  seconds: number;
  seed: number;
  mix?: Mix;
}

/**
 * Sends at a constant rate without waiting for responses, which would hide stalls.
 * Resolves when every request has ended.
 */
export async function generate(
  operations: Operations,
  { rate, seconds, seed, mix = usualMix }: Plan,
): Promise<void> {
  const random = new Random(seed);
  const begin = Date.now();
  const running = new Set<Promise<void>>();
  for (let index = 0; index < rate * seconds; index += 1) {
    const wait = begin + (index * 1000) / rate - Date.now();
    if (wait > 0) await sleep(wait);
    // Separate random numbers keep each operation independent of the others.
    const own = new Random(seed + index * 7919);
    const work = operations.all[random.weighted(mix)]?.(own) ?? Promise.resolve();
    running.add(work);
    void work.finally(() => running.delete(work));
  }
  await Promise.all(running);
}
