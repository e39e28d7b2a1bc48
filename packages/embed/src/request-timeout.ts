import type { Environment } from './environment.js';
import { EmbedProblem } from './problem.js';

const TIMEOUT_MS = 20_000;

/** Aborts a request that takes too long, and rejects even if a page's own `fetch` ignores the signal. */
export function withTimeout<T>(
  environment: Environment,
  flight: AbortController,
  request: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const late = { kind: 'unavailable', code: 'timeout' } as const;
    const cancel = environment.after(TIMEOUT_MS, () =>
      flight.abort(new EmbedProblem('The service did not respond in time.', late)),
    );
    flight.signal.addEventListener('abort', () => reject(flight.signal.reason));
    flight.signal.addEventListener('abort', cancel);
    void request(flight.signal).then(resolve, reject).finally(cancel);
  });
}
