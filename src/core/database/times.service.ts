import { Injectable } from '@nestjs/common';
import { Clock } from '../clock.js';
import { Config } from '../config/config.js';
import { InvalidRequest } from '../problems/problem.js';
import { isDay, MAX_TIME } from '../validation/times.js';
import { DatabaseService } from './database.service.js';
import { limitsOfDay } from './local-days.js';

/** Instants of times in requests. A day without a time is one of `USAGE_TIME_ZONE`. */
@Injectable()
export class TimesService {
  constructor(
    private readonly database: DatabaseService,
    private readonly config: Config,
    private readonly clock: Clock,
  ) {}

  /** A day counts from its first instant. */
  async startOf(text: string): Promise<Date> {
    return isDay(text) ? (await this.limitsOf(text)).start : new Date(text);
  }

  /** A day counts to its end, the first instant of the next one. */
  async endOf(text: string): Promise<Date> {
    return isDay(text) ? (await this.limitsOf(text)).end : new Date(text);
  }

  /**
   * The last millisecond of a day, so that the instant shows the day that was given. Null without an expiry. Throws
   * InvalidRequest, which names the field, for a time in the past.
   */
  async expiryOf(text: string | undefined, pointer = '/expires_at'): Promise<Date | null> {
    if (text === undefined) return null;
    const end = await this.endOf(text);
    const at = isDay(text) ? new Date(Math.min(end.getTime() - 1, MAX_TIME)) : end;
    if (at > this.clock.now()) return at;
    throw new InvalidRequest([{ pointer, detail: 'expires_at must be in the future' }]);
  }

  private limitsOf(day: string): Promise<{ start: Date; end: Date }> {
    return limitsOfDay(this.database.manager, day, this.config.usage.timeZone);
  }
}
