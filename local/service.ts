import { setTimeout as sleep } from 'node:timers/promises';

const readyWithinMs = 60_000;
const closeWithinMs = 5_000;

async function waitUntilReady(url: string, signal: AbortSignal): Promise<void> {
  const patience = Date.now() + readyWithinMs;
  for (;;) {
    const answer = await fetch(`${url}/readyz`, { signal }).catch(() => null);
    if (answer?.ok) return;
    signal.throwIfAborted();
    if (Date.now() > patience) throw new Error(`The service did not become ready: ${await answer?.text()}`);
    await sleep(50);
  }
}

/** Runs the service as in production, in this process, configured by environment variables only. */
export async function startService(
  url: string,
  environment: Record<string, string>,
  parts: AsyncDisposableStack,
  signal: AbortSignal,
): Promise<void> {
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, environment);
  // Imported after the assignment, so that modules that read the environment while loading see it.
  const { start } = await import('../src/service.js');
  const service = await start();
  parts.defer(() => Promise.race([service.close(), sleep(closeWithinMs, undefined, { ref: false })]));
  await waitUntilReady(url, signal);
}
