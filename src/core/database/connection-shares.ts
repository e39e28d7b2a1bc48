/**
 * Percentages of the pool that work may use at most which holds a connection for long, waits for locks or comes in bursts. They
 * add up to 80: a fifth is left for all other requests and for probes.
 */
const percentages = {
  signIns: 30,
  /** Changes that wait for a contended lock, and requests with an Idempotency-Key. */
  changes: 20,
  usage: 20,
  snapshots: 10,
} as const;

export type PoolShare = keyof typeof percentages;

export const poolShares = Object.keys(percentages) as PoolShare[];

/** Below this size the shares, of at least one connection each, are more than 80 %. */
export const MIN_POOL = poolShares.length + 1;

export const connectionsFor = (share: PoolShare, poolSize: number): number =>
  Math.max(1, Math.floor((poolSize * percentages[share]) / 100));
