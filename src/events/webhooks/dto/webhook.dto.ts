import { ApiPropertyOptional, OmitType } from '#openapi';
import { ArrayMaxSize, IsArray, IsIn, IsString, MaxLength } from 'class-validator';
import { ListQuery } from '../../../core/lists/list-query.dto.js';
import { SortedBy, type SortKeys } from '../../../core/lists/pagination.js';
import { IsTime } from '../../../core/validation/times.js';
import { IsId, OptionalField } from '../../../core/validation/validators.js';
import { MAX_URL } from '../receiver-url.js';
import {
  type DeliveryError,
  type DeliveryKind,
  type DisabledReason,
  type Webhook,
  type WebhookDelivery,
  type WebhookRedelivery,
  type WebhookStatus,
  webhookStatuses,
} from '../webhook.entity.js';
import { type EventType, eventTypeNames } from '../../outbox/event-types.js';
import type { NewWebhookSecret } from '../webhook-secrets.service.js';

export class WebhookDto {
  id!: string;
  url!: string;
  /** Types of the events to deliver. Empty: all types. */
  types!: EventType[];
  status!: WebhookStatus;
  /** `admin`: on request; `gone`: the receiver returned 410; `failing`: it failed for 5 days. Null while it is active. */
  disabled_reason!: DisabledReason | null;
  created_at!: Date;
  /** When the first of the current series of failed attempts was made; null if the last attempt succeeded. */
  failing_since!: Date | null;
  /** When the next attempt is made after a failed one; null without failed attempts. */
  next_attempt_at!: Date | null;

  static from(webhook: Webhook): WebhookDto {
    return {
      id: webhook.id,
      url: webhook.url,
      types: webhook.types,
      status: webhook.status,
      disabled_reason: webhook.disabledReason,
      created_at: webhook.createdAt,
      failing_since: webhook.failingSince,
      next_attempt_at: webhook.status === 'active' && webhook.failures > 0 ? webhook.nextAttemptAt : null,
    };
  }
}

export class NewWebhookDto extends WebhookDto {
  /** Returned only in this response. It cannot be retrieved later, and an idempotent replay does not contain it. */
  secret?: string;

  static with(webhook: Webhook, { secret }: NewWebhookSecret): NewWebhookDto {
    return { ...WebhookDto.from(webhook), secret };
  }
}

export class WebhookListDto {
  webhooks!: WebhookDto[];
}

export class WebhookSecretDto {
  id!: string;
  created_at!: Date;
  /** Until then, the previous secret signs as well. */
  previous_expires_at!: Date | null;
  /** Returned only in this response. It cannot be retrieved later, and an idempotent replay does not contain it. */
  secret?: string;

  static of({ id, createdAt, previousExpiresAt, secret }: NewWebhookSecret): WebhookSecretDto {
    return { id, created_at: createdAt, previous_expires_at: previousExpiresAt, secret };
  }
}

/** One attempt. */
export class WebhookDeliveryDto {
  id!: string;
  /** The `webhook-id` header, the same in every attempt. */
  event_id!: string;
  event_type!: string;
  /** `event`: in the order of the events; `redelivery`: sent again on request; `ping`: a test. */
  kind!: DeliveryKind;
  status!: DeliveryStatus;
  /** Number of the attempt, from 1. */
  attempt!: number;
  /** HTTP status of the response; null without a response. */
  status_code!: number | null;
  /** Why the attempt failed; null for a success. */
  error!: DeliveryError | null;
  duration_ms!: number;
  at!: Date;
  /** When the event is sent again after this failed attempt; null if it is not. */
  next_attempt_at!: Date | null;

  static from(delivery: WebhookDelivery): WebhookDeliveryDto {
    return {
      id: delivery.id,
      event_id: delivery.eventId,
      event_type: delivery.eventType,
      kind: delivery.kind,
      status: delivery.error === null ? 'succeeded' : 'failed',
      attempt: delivery.attempt,
      status_code: delivery.statusCode,
      error: delivery.error,
      duration_ms: delivery.durationMs,
      at: delivery.at,
      next_attempt_at: delivery.nextAttemptAt,
    };
  }
}

export class WebhookDeliveryListDto {
  deliveries!: WebhookDeliveryDto[];
}

export const webhookSortKeys: SortKeys<Webhook> = {
  created_at: { sql: 'webhook.createdAt', of: (webhook) => webhook.createdAt.toISOString() },
};

export class ListWebhooksQuery extends OmitType(ListQuery, ['q']) {
  @SortedBy(webhookSortKeys)
  sort: string = 'created_at';

  /** Returns only webhooks with this status. */
  @OptionalField()
  @IsIn(webhookStatuses)
  status?: WebhookStatus;
}

export class CreateWebhookDto {
  /** The receiver: https on port 443 or 8443, with a public address. `WEBHOOK_ALLOWED_HOSTS` lists exceptions. */
  @IsString()
  @MaxLength(MAX_URL)
  url!: string;

  /** Types of the events to deliver. Empty: all types, also later ones. */
  @ApiPropertyOptional({ enum: eventTypeNames, isArray: true })
  @OptionalField()
  @IsArray()
  @ArrayMaxSize(100)
  @IsIn(eventTypeNames, { each: true })
  types: EventType[] = [];
}

export class UpdateWebhookDto {
  @OptionalField()
  @IsString()
  @MaxLength(MAX_URL)
  url?: string;

  /** Types of the events to deliver. Empty: all types, also later ones. */
  @ApiPropertyOptional({ enum: eventTypeNames, isArray: true })
  @OptionalField()
  @IsArray()
  @ArrayMaxSize(100)
  @IsIn(eventTypeNames, { each: true })
  types?: EventType[];

  /** `active` continues after the last delivered event. */
  @OptionalField()
  @IsIn(webhookStatuses)
  status?: WebhookStatus;
}

export const deliveryStatuses = ['succeeded', 'failed'] as const;
type DeliveryStatus = (typeof deliveryStatuses)[number];

export const deliverySortKeys: SortKeys<WebhookDelivery> = {
  at: { sql: 'delivery.at', of: (delivery) => delivery.at.toISOString() },
};

export class ListDeliveriesQuery extends OmitType(ListQuery, ['q']) {
  @SortedBy(deliverySortKeys)
  sort: string = '-at';

  /** Returns only attempts with this status. */
  @OptionalField()
  @IsIn(deliveryStatuses)
  status?: DeliveryStatus;

  /** Returns only attempts for this event. */
  @OptionalField()
  @IsId()
  event_id?: string;
}

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
