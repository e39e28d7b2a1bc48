import { Injectable } from '@nestjs/common';
import { type EntityManager, IsNull, LessThanOrEqual, Not } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { AuditService } from '../../platform/audit/audit.service.js';
import { Clock } from '../../core/clock.js';
import { Sealer } from '../../core/crypto/sealer.js';
import { DatabaseService } from '../../core/database/database.service.js';
import type { Principal } from '../../core/http/principal.js';
import { WebhookSecret } from './webhook.entity.js';
import { newSecret } from './webhook-message.js';
import { liveSecrets, lockWebhook } from './webhooks.queries.js';

const PURPOSE = 'webhook secret';
/** How long the previous secret signs as well. */
const OVERLAP_SECONDS = 86_400;

export interface NewWebhookSecret {
  id: string;
  createdAt: Date;
  /** Plain text, available only on creation. */
  secret: string;
  /** When the previous secret stops signing; null for the first secret. */
  previousExpiresAt: Date | null;
}

/** Signing secrets of webhooks, sealed in the database. */
@Injectable()
export class WebhookSecretsService {
  constructor(
    private readonly database: DatabaseService,
    private readonly sealer: Sealer,
    private readonly audit: AuditService,
    private readonly clock: Clock,
  ) {}

  /** The first secret of a new webhook. */
  async create(tx: EntityManager, webhookId: string): Promise<NewWebhookSecret> {
    const [id, secret, createdAt] = [uuidv7(), newSecret(), this.clock.now()];
    const sealed = this.sealer.seal(PURPOSE, secret);
    await tx.insert(WebhookSecret, { id, webhookId, sealed, createdAt, expiresAt: null });
    return { id, createdAt, secret, previousExpiresAt: null };
  }

  /** The previous secret signs for another 24 hours, an older one no longer. Throws WebhookNotFound. */
  roll(caller: Principal, webhookId: string): Promise<NewWebhookSecret> {
    return this.database.transaction(async (tx) => {
      await lockWebhook(tx, webhookId);
      const previousExpiresAt = this.clock.in(OVERLAP_SECONDS);
      await tx.delete(WebhookSecret, { webhookId, expiresAt: Not(IsNull()) });
      await tx.update(WebhookSecret, { webhookId }, { expiresAt: previousExpiresAt });
      const created = await this.create(tx, webhookId);
      await this.audit.record(tx, {
        action: 'webhook_secret_rolled',
        actorId: caller.id,
        target: { type: 'webhook', id: webhookId },
        details: { secret_id: created.id },
      });
      return { ...created, previousExpiresAt };
    });
  }

  /** The live secrets, newest first; without those whose key has been retired. */
  async live(webhookId: string): Promise<string[]> {
    const sealed = await liveSecrets(this.database.manager, webhookId, this.clock.now());
    return sealed.flatMap((each) => this.sealer.open(PURPOSE, each) ?? []);
  }

  /** Seals all secrets with the current key, so that an older `SECRET_KEY` can be removed. */
  async reseal(): Promise<void> {
    const { manager } = this.database;
    for (const { id, sealed } of await manager.find(WebhookSecret, { select: { id: true, sealed: true } })) {
      const secret = this.sealer.open(PURPOSE, sealed);
      if (secret === undefined) continue;
      await manager.update(WebhookSecret, { id }, { sealed: this.sealer.seal(PURPOSE, secret) });
    }
  }

  /** Deletes secrets that no longer sign. */
  async removeExpired(): Promise<void> {
    await this.database.manager.delete(WebhookSecret, { expiresAt: LessThanOrEqual(this.clock.now()) });
  }
}
