import { setTimeout as pause } from 'node:timers/promises';

/** Asks again until the answer is truthy, and gives it back. */
export async function until<T>(ask: () => T | Promise<T>, withinMs = 20_000): Promise<T> {
  const deadline = Date.now() + withinMs;
  for (;;) {
    const answer = await ask();
    if (answer) return answer;
    if (Date.now() > deadline) throw new Error(`Not within ${withinMs} ms: ${String(ask)}`);
    await pause(50);
  }
}
