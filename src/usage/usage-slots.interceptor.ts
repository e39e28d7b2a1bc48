import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import { from, lastValueFrom, type Observable } from 'rxjs';
import { Busy, Bulkhead } from '../core/async/bulkhead.js';
import { Config } from '../core/config/config.js';
import { connectionsFor } from '../core/database/connection-shares.js';
import { requestContext } from '../core/http/request-context.js';
import { Problem } from '../core/problems/problem.js';

const QUEUE = 200;
const WAIT_MS = 10_000;

/**
 * Bounds the work that reads or writes figures: slow or locked tables of figures leave connections to all other requests and to
 * probes.
 */
@Injectable()
export class UsageSlotsService {
  private readonly slots: Bulkhead;

  constructor({ database }: Config) {
    this.slots = new Bulkhead(connectionsFor('usage', database.poolSize), QUEUE);
  }

  /** Throws a 503 problem if the queue is full or after 10 s in the queue. Must not be called within `work`. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await this.slots.run(work, WAIT_MS, requestContext()?.signal);
    } catch (error) {
      if (!(error instanceof Busy)) throw error;
      const detail = 'Too many requests for usage figures are in progress. Try again.';
      throw new Problem('service_unavailable', detail, { retryAfter: 2 });
    }
  }
}

/** Handles each request in a slot. The pages of a file but the first are read after the handler returned, in slots of their own. */
@Injectable()
export class UsageSlotsInterceptor implements NestInterceptor {
  constructor(private readonly slots: UsageSlotsService) {}

  intercept(_context: ExecutionContext, next: CallHandler): Observable<unknown> {
    return from(this.slots.run(() => lastValueFrom(next.handle())));
  }
}
