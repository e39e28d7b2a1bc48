import { setTimeout as sleep } from 'node:timers/promises';

/** Repeats assertions until they pass; fails with their error after the given seconds. */
export async function untilPasses(assertions: () => void | Promise<void>, seconds = 60): Promise<void> {
  const end = performance.now() + seconds * 1000;
  for (;;) {
    try {
      return await assertions();
    } catch (error) {
      if (performance.now() > end) throw error;
    }
    await sleep(20);
  }
}

/** Polls until the check returns a value; fails after the given seconds. */
export async function until<T>(
  check: () => T | Promise<T>,
  seconds = 60,
): Promise<Exclude<T, undefined | null | false>> {
  const end = performance.now() + seconds * 1000;
  for (;;) {
    const found = await check();
    if (found !== undefined && found !== null && found !== false) {
      return found as Exclude<T, undefined | null | false>;
    }
    if (performance.now() > end) throw new Error(`No result within ${seconds} s: ${check.toString()}`);
    await sleep(20);
  }
}
