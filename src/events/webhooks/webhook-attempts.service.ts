import { Injectable } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import { Clock } from '../../core/clock.js';
import { emit } from '../../core/telemetry/telemetry-events.js';
import type { DeliveryKind, Webhook, WebhookDelivery } from './webhook.entity.js';
import { type AttemptResult, WebhookHttpService } from './webhook-http.service.js';
import { bodyOf, signedHeaders, type WebhookMessage } from './webhook-message.js';
import { WebhookSecretsService } from './webhook-secrets.service.js';

/** An attempt that is not stored yet. */
export interface Attempted {
  delivery: WebhookDelivery;
  /** Seconds, from the receiver. */
  retryAfter: number | null;
}

interface Options {
  kind: DeliveryKind;
  /** Null for a ping. */
  seq: number | null;
  /** Number of the attempt, from 1. */
  attempt: number;
  seconds?: number;
  /** On the clock of `performance.now()`. Later, another worker may have the endpoint. */
  startBefore?: number;
}

/** Signs a message and sends it once. Holds no database connection while it sends. */
@Injectable()
export class WebhookAttemptsService {
  constructor(
    private readonly secrets: WebhookSecretsService,
    private readonly http: WebhookHttpService,
    private readonly clock: Clock,
  ) {}

  /** Throws if the database fails, and without an attempt after `startBefore`. */
  async send(
    { id: webhookId, url }: Pick<Webhook, 'id' | 'url'>,
    message: WebhookMessage,
    { kind, seq, attempt, seconds, startBefore = Infinity }: Options,
  ): Promise<Attempted> {
    const secrets = await this.secrets.live(webhookId);
    if (performance.now() > startBefore) throw new Error('The lease is about to expire');
    const at = this.clock.now();
    const { retryAfter, ...result } = await this.post(url, message, secrets, at, seconds);
    emit('webhook_attempted', {
      kind,
      result: result.error ?? 'delivered',
      seconds: result.durationMs / 1000,
    });
    const { id: eventId, type: eventType } = message;
    const delivery = {
      id: uuidv7(),
      webhookId,
      eventId,
      eventType,
      seq: seq === null ? null : String(seq),
      kind,
      attempt,
      at,
      nextAttemptAt: null,
    };
    return { delivery: { ...delivery, ...result }, retryAfter };
  }

  private async post(
    url: string,
    message: WebhookMessage,
    secrets: readonly string[],
    at: Date,
    seconds?: number,
  ): Promise<AttemptResult> {
    if (secrets.length === 0)
      return { error: 'secret_not_readable', statusCode: null, durationMs: 0, retryAfter: null };
    const body = bodyOf(message);
    return this.http.send({ url, body, headers: signedHeaders(message.id, body, secrets, at) }, seconds);
  }
}
