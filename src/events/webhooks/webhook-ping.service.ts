import { Injectable } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import { AuditService } from '../../platform/audit/audit.service.js';
import { Clock } from '../../core/clock.js';
import { DatabaseService } from '../../core/database/database.service.js';
import type { Principal } from '../../core/http/principal.js';
import { hostOf } from './receiver-url.js';
import { WebhookAttemptsService } from './webhook-attempts.service.js';
import { Webhook, WebhookDelivery } from './webhook.entity.js';
import { WebhookNotFound } from './webhooks.errors.js';
import { lockWebhook } from './webhooks.queries.js';

/** The type of a test message. */
export const PING = 'webhook.ping';

/** Less than the deadline of a request. */
const PING_SECONDS = 8;

/** Sends a test message at once, independently of the order of the events, also to a disabled endpoint. */
@Injectable()
export class WebhookPingService {
  constructor(
    private readonly database: DatabaseService,
    private readonly attempts: WebhookAttemptsService,
    private readonly audit: AuditService,
    private readonly clock: Clock,
  ) {}

  /** A success ends the wait after failed attempts. Throws WebhookNotFound. */
  async ping(caller: Principal, id: string): Promise<WebhookDelivery> {
    const webhook = await this.database.manager.findOneBy(Webhook, { id });
    if (webhook === null) throw new WebhookNotFound();
    await this.database.transaction((tx) =>
      this.audit.record(tx, {
        action: 'webhook_pinged',
        actorId: caller.id,
        target: { type: 'webhook', id },
        details: { host: hostOf(webhook.url) },
      }),
    );
    const message = { id: uuidv7(), type: PING, at: this.clock.now(), data: { webhook_id: id } };
    const options = { kind: 'ping', seq: null, attempt: 1, seconds: PING_SECONDS } as const;
    const { delivery } = await this.attempts.send(webhook, message, options);
    await this.store(delivery);
    return delivery;
  }

  private async store(delivery: WebhookDelivery): Promise<void> {
    await this.database.transaction(async (tx) => {
      const { id } = await lockWebhook(tx, delivery.webhookId);
      await tx.insert(WebhookDelivery, delivery);
      if (delivery.error === null) await tx.update(Webhook, { id }, { nextAttemptAt: this.clock.now() });
    });
  }
}
