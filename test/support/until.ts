import { setTimeout as sleep } from 'node:timers/promises';

/** Asks again and again until there is an answer; fails after some seconds. */
export async function until<T>(
  look: () => T | Promise<T>,
  seconds = 15,
): Promise<Exclude<T, undefined | null | false>> {
  const end = Date.now() + seconds * 1000;
  for (;;) {
    const found = await look();
    if (found !== undefined && found !== null && found !== false) {
      return found as Exclude<T, undefined | null | false>;
    }
    if (Date.now() > end) throw new Error(`Nothing within ${seconds} s: ${look.toString()}`);
    await sleep(20);
  }
}
