import { setTimeout as sleep } from 'node:timers/promises';

/** Polls until the check returns a value; fails after the given seconds. */
export async function until<T>(
  check: () => T | Promise<T>,
  seconds = 30,
): Promise<Exclude<T, undefined | null | false>> {
  const end = Date.now() + seconds * 1000;
  for (;;) {
    const found = await check();
    if (found !== undefined && found !== null && found !== false) {
      return found as Exclude<T, undefined | null | false>;
    }
    if (Date.now() > end) throw new Error(`No result within ${seconds} s: ${check.toString()}`);
    await sleep(20);
  }
}
