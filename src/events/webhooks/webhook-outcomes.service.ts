import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { AuditService } from '../../platform/audit/audit.service.js';
import { Clock } from '../../core/clock.js';
import { DatabaseService } from '../../core/database/database.service.js';
import type { Event } from '../outbox/events.queries.js';
import { hostOf } from './receiver-url.js';
import { GIVE_UP_SECONDS, MAX_REDELIVERY_ATTEMPTS, retryDelay } from './retry-schedule.js';
import type { Attempted } from './webhook-attempts.service.js';
import { type DisabledReason, Webhook, WebhookDelivery, WebhookRedelivery } from './webhook.entity.js';
import { WebhookMailService } from './webhook-mail.service.js';
import { advance } from './webhooks.queries.js';

const GONE = 410;

/** Unless the endpoint was deleted during the attempt. */
async function log(tx: EntityManager, delivery: WebhookDelivery): Promise<void> {
  if (await tx.existsBy(Webhook, { id: delivery.webhookId })) await tx.insert(WebhookDelivery, delivery);
}

/** Stores the outcome of each attempt with what follows from it, in one transaction. */
@Injectable()
export class WebhookOutcomesService {
  constructor(
    private readonly database: DatabaseService,
    private readonly audit: AuditService,
    private readonly mail: WebhookMailService,
    private readonly clock: Clock,
  ) {}

  /** Returns whether the worker continues with the next event: after a success, unless another worker has taken over. */
  ofEvent(
    webhook: Webhook,
    worker: string,
    { seq }: Event,
    { delivery, retryAfter }: Attempted,
  ): Promise<boolean> {
    const { id, position } = webhook;
    return this.database.transaction(async (tx) => {
      if (delivery.error === null) {
        const progress = { id, worker, from: Number(position), to: seq };
        const isCurrent = await advance(tx, progress, this.clock.now());
        await log(tx, delivery);
        return isCurrent;
      }
      const current = await tx.findOne(Webhook, {
        where: { id, leasedBy: worker, position },
        lock: { mode: 'pessimistic_write' },
      });
      if (current !== null) delivery.nextAttemptAt = await this.fail(tx, current, delivery, retryAfter);
      await log(tx, delivery);
      return false;
    });
  }

  /**
   * A failing redelivery waits like the endpoint, but does not delay its events, and ends after the last attempt. The outcome
   * does not count if another worker has taken over, as after a change of the URL.
   */
  ofRedelivery(
    redelivery: WebhookRedelivery,
    worker: string,
    { seq }: Event,
    { delivery, retryAfter }: Attempted,
  ): Promise<void> {
    const { id, eventId } = redelivery;
    return this.database.transaction(async (tx) => {
      const failures = delivery.error === null ? 0 : redelivery.failures + 1;
      const isGone = delivery.statusCode === GONE || failures >= MAX_REDELIVERY_ATTEMPTS;
      const nextAttemptAt = this.clock.in(failures === 0 ? 0 : retryDelay(failures, retryAfter));
      const { webhookId } = redelivery;
      const current = await tx.findOne(Webhook, {
        where: { id: webhookId, leasedBy: worker },
        lock: { mode: 'pessimistic_write' },
      });
      if (current === null) return log(tx, delivery);
      if (failures > 0 && !isGone) delivery.nextAttemptAt = nextAttemptAt;
      if (isGone || (failures === 0 && eventId !== null)) await tx.delete(WebhookRedelivery, { id });
      else
        await tx.update(
          WebhookRedelivery,
          { id },
          { failures, nextAttemptAt, ...(failures === 0 && { position: String(seq) }) },
        );
      await log(tx, delivery);
    });
  }

  /** Returns the time of the next attempt, or null if the endpoint is disabled. */
  private async fail(
    tx: EntityManager,
    { id, url, failures: before, failingSince }: Webhook,
    { id: occasion, statusCode, at, error }: WebhookDelivery,
    retryAfter: number | null,
  ): Promise<Date | null> {
    const failures = before + 1;
    const since = failingSince ?? at;
    const hasGivenUp = at.getTime() - since.getTime() >= GIVE_UP_SECONDS * 1000;
    const reason: DisabledReason | null = statusCode === GONE ? 'gone' : hasGivenUp ? 'failing' : null;
    const nextAttemptAt = this.clock.in(retryDelay(failures, retryAfter));
    const state = { failures, failingSince: since, nextAttemptAt };
    if (reason === null) {
      await tx.update(Webhook, { id }, state);
      return nextAttemptAt;
    }
    await tx.update(Webhook, { id }, { ...state, status: 'disabled', disabledReason: reason });
    await tx.delete(WebhookRedelivery, { webhookId: id });
    const host = hostOf(url);
    await this.audit.record(tx, {
      action: 'webhook_disabled',
      outcome: 'failed',
      actorId: null,
      target: { type: 'webhook', id },
      details: { reason, host, error, status_code: statusCode },
    });
    await this.mail.enqueue(tx, { webhook_id: id, occasion, reason, host, since: since.toISOString() });
    return null;
  }
}
