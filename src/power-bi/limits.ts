/** How long and how much of one upstream. Sizes in bytes, times in milliseconds. */
export interface UpstreamLimits {
  connectMs: number;
  tryMs: number;
  /** All tries of one call together; pauses that a patient caller waits out do not count. */
  totalMs: number;
  maxBytes: number;
  concurrent: number;
  queued: number;
  queueMs: number;
}

export const defaultLimits: UpstreamLimits = {
  connectMs: 2000,
  tryMs: 5000,
  totalMs: 12_000,
  maxBytes: 2 * 1024 * 1024,
  concurrent: 32,
  queued: 64,
  queueMs: 1000,
};
