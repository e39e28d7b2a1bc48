import { performance } from 'node:perf_hooks';

const SAMPLE_MS = 250;

/** Delay and utilization of the event loop in the last quarter of a second. */
export class EventLoopMonitor {
  /** Milliseconds by which the last sample was late. */
  delayMs = 0;
  /** Share of time in which the event loop was busy, from 0 to 1. */
  utilization = 0;

  private lastElu = performance.eventLoopUtilization();
  private lastAt = 0;
  private timer?: NodeJS.Timeout;

  start(): void {
    // The time before this call, in which the application is created, must not count as a delay.
    this.lastAt = performance.now();
    this.lastElu = performance.eventLoopUtilization();
    this.timer = setInterval(() => this.sample(), SAMPLE_MS).unref();
  }

  stop(): void {
    clearInterval(this.timer);
  }

  private sample(): void {
    const now = performance.now();
    const elu = performance.eventLoopUtilization();
    this.delayMs = Math.max(0, now - this.lastAt - SAMPLE_MS);
    this.utilization = performance.eventLoopUtilization(elu, this.lastElu).utilization;
    this.lastAt = now;
    this.lastElu = elu;
  }
}
