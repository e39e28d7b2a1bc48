/** Time, size and concurrency limits for one upstream. Sizes in bytes, times in milliseconds. */
export interface UpstreamLimits {
  connectMs: number;
  tryMs: number;
  /**
   * Total for all attempts of one call, excluding throttle windows that a `patient` caller waits out. Less than the deadline of
   * an embed token, so that its response names Power BI.
   */
  totalMs: number;
  maxBytes: number;
  concurrent: number;
  queued: number;
  queueMs: number;
}

export const defaultLimits: UpstreamLimits = {
  connectMs: 2000,
  tryMs: 5000,
  totalMs: 11_500,
  maxBytes: 2 * 1024 * 1024,
  concurrent: 32,
  queued: 64,
  queueMs: 1000,
};
