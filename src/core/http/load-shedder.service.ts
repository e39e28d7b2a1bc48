import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import type { Response } from 'express';
import { Config } from '../config/config.js';
import { EventLoopMonitor } from './event-loop-monitor.js';

const LOG_MS = 10_000;

/** Tracks the running requests of this replica and decides whether it accepts more. See docs/decisions/load-shedding.md. */
@Injectable()
export class LoadShedderService implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger('Load');
  private readonly loop = new EventLoopMonitor();
  /** `open`: requests whose headers have arrived; `working`: those whose body has arrived too. */
  private readonly open = new Set<Response>();
  private readonly working = new Set<Response>();
  private readonly streams = new Map<Response, { end: () => void; since: number }>();
  private shed = 0;
  private loggedAt = 0;
  private leaving = false;

  constructor(private readonly config: Config) {}

  /** Requests without a complete response, including those that are still sending their body. */
  get openRequests(): number {
    return this.open.size;
  }

  onApplicationBootstrap(): void {
    this.loop.start();
  }

  onApplicationShutdown(): void {
    this.loop.stop();
  }

  /** Whether the replica can accept another request. Counts a rejection. */
  canAccept(): boolean {
    if (this.working.size < this.capacityLeft()) return true;
    this.shed += 1;
    this.logShedding();
    return false;
  }

  /** Whether the drain before shutdown has begun. */
  get isDraining(): boolean {
    return this.leaving;
  }

  track(response: Response): void {
    if (this.leaving) response.setHeader('Connection', 'close');
    this.open.add(response);
  }

  /** Removes a request whose response is complete or whose client has disconnected. */
  release(response: Response): void {
    this.open.delete(response);
    this.working.delete(response);
    this.streams.delete(response);
  }

  /** Takes a concurrency slot. Not for a client that has left meanwhile: nothing would release it. */
  acquire(response: Response): void {
    if (!response.closed) this.working.add(response);
  }

  /** For a response that stays open: it frees its slot, and `end` is called before the drain waits for it. */
  stream(response: Response, end: () => void): void {
    this.working.delete(response);
    if (response.closed) end();
    else this.streams.set(response, { end, since: performance.now() });
  }

  /** When the response became a stream (`performance.now()`); undefined for other responses. */
  streamingSince(response: Response): number | undefined {
    return this.streams.get(response)?.since;
  }

  endStreams(): void {
    for (const { end } of this.streams.values()) end();
  }

  /** From now on every response closes its connection. */
  drain(): void {
    this.leaving = true;
    for (const response of this.open) {
      if (!response.headersSent) response.setHeader('Connection', 'close');
    }
  }

  private capacityLeft(): number {
    const { maxInFlight, shedDelayMs, shedUtilizationPercent } = this.config.serverLimits;
    if (shedDelayMs > 0 && this.loop.delayMs > shedDelayMs) return 0;
    const isBusy = shedUtilizationPercent < 100 && this.loop.utilization * 100 > shedUtilizationPercent;
    return isBusy ? Math.ceil(maxInFlight / 4) : maxInFlight;
  }

  /** Logs at most one line in 10 s, so that a flood of requests does not flood the log. */
  private logShedding(): void {
    if (performance.now() - this.loggedAt < LOG_MS && this.loggedAt > 0) return;
    this.loggedAt = performance.now();
    const { delayMs, utilization } = this.loop;
    this.logger.warn({
      msg: 'shedding load',
      shed: this.shed,
      in_flight: this.working.size,
      delayMs,
      utilization,
    });
    this.shed = 0;
  }
}
