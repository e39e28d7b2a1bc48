import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import type { Response } from 'express';
import { Config } from '../config/config.js';
import { EventLoopMonitor } from './event-loop-monitor.js';

const LOG_MS = 10_000;

/** What this replica has at work, and whether it takes on more. See docs/decisions/load-shedding.md. */
@Injectable()
export class LoadShedderService implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger('Load');
  private readonly loop = new EventLoopMonitor();
  /** Whose headers have arrived, and whose bodies too. */
  private readonly open = new Set<Response>();
  private readonly working = new Set<Response>();
  private shed = 0;
  private loggedAt = 0;
  private leaving = false;

  constructor(private readonly config: Config) {}

  /** Requests that have no answer yet, also of those who still send. */
  get openRequests(): number {
    return this.open.size;
  }

  onApplicationBootstrap(): void {
    this.loop.start();
  }

  onApplicationShutdown(): void {
    this.loop.stop();
  }

  /** Whether one more can be taken on. */
  canAccept(): boolean {
    if (this.working.size < this.capacityLeft()) return true;
    this.shed += 1;
    this.logShedding();
    return false;
  }

  /** Whether this replica takes leave of its callers. */
  get isDraining(): boolean {
    return this.leaving;
  }

  /** Knows of a request from now on. */
  track(response: Response): void {
    if (this.leaving) response.setHeader('Connection', 'close');
    this.open.add(response);
  }

  /** Its answer is out, or its caller is gone. */
  release(response: Response): void {
    this.open.delete(response);
    this.working.delete(response);
  }

  /** It takes a place from now on. */
  acquire(response: Response): void {
    this.working.add(response);
  }

  /** From now on every answer is the last of its connection. */
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

  /** One line for many: a flood must not become a flood of lines. */
  private logShedding(): void {
    if (performance.now() - this.loggedAt < LOG_MS && this.loggedAt > 0) return;
    this.loggedAt = performance.now();
    const { delayMs, utilization } = this.loop;
    this.logger.warn({
      msg: 'turning requests away',
      shed: this.shed,
      in_flight: this.working.size,
      delayMs,
      utilization,
    });
    this.shed = 0;
  }
}
