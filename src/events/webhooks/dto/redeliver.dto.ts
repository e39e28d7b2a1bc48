import { IsTime } from '../../../core/validation/times.js';
import type { WebhookRedelivery } from '../webhook-redelivery.entity.js';

export class RedeliverPeriodDto {
  /** Redelivers the events that occurred at or after this time: `YYYY-MM-DD` in `USAGE_TIME_ZONE` or RFC 3339 with a time zone. */
  @IsTime()
  from!: string;

  /**
   * Redelivers the events that occurred before this time, or until the end of this day: `YYYY-MM-DD` in `USAGE_TIME_ZONE` or
   * RFC 3339 with a time zone.
   */
  @IsTime()
  to!: string;
}

export class RedeliveryDto {
  id!: string;
  /** Null for a period. */
  event_id!: string | null;
  from!: Date | null;
  to!: Date | null;
  created_at!: Date;

  static from(redelivery: WebhookRedelivery): RedeliveryDto {
    const { id, eventId, fromAt, toAt, createdAt } = redelivery;
    return { id, event_id: eventId, from: fromAt, to: toAt, created_at: createdAt };
  }
}
