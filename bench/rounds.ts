import type { Figures } from './wrk.js';

export interface Measured extends Figures {
  /** The slowest and the fastest round. */
  least_per_second: number;
  most_per_second: number;
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

/** Each in turn, again and again, so that a neighbour's noise falls on all of them; the median of each figure. */
export async function medians<T>(
  targets: Record<string, T>,
  rounds: number,
  measure: (target: T) => Promise<Figures>,
): Promise<Record<string, Measured>> {
  const taken = new Map<string, Figures[]>(Object.keys(targets).map((name) => [name, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, target] of Object.entries(targets)) taken.get(name)?.push(await measure(target));
  }
  return Object.fromEntries(
    [...taken].map(([name, figures]) => {
      const speeds = figures.map(({ per_second }) => per_second);
      return [
        name,
        {
          per_second: median(speeds),
          least_per_second: Math.min(...speeds),
          most_per_second: Math.max(...speeds),
          p50_ms: median(figures.map(({ p50_ms }) => p50_ms)),
          p99_ms: median(figures.map(({ p99_ms }) => p99_ms)),
          failed: figures.reduce((sum, { failed }) => sum + failed, 0),
        },
      ];
    }),
  );
}
