import type { DeliveryError, DeliveryKind, WebhookDelivery } from '../webhook-delivery.entity.js';
import type { EventType } from '../../outbox/event-types.js';
import type { NewWebhookSecret } from '../webhook-secrets.service.js';
import type { DisabledReason, Webhook, WebhookStatus } from '../webhook.entity.js';
import type { DeliveryStatus } from './list-deliveries.dto.js';

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
