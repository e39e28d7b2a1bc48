import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { AuditService } from '../../platform/audit/audit.service.js';
import { differences } from '../../platform/audit/differences.js';
import { Clock } from '../../core/clock.js';
import { DatabaseService } from '../../core/database/database.service.js';
import { lockName } from '../../core/database/locks.js';
import type { Principal } from '../../core/http/principal.js';
import { Cursors, type Reader } from '../../core/lists/cursors.js';
import { listPage, type Page, selectedBy } from '../../core/lists/pagination.js';
import { readState } from '../outbox/events.queries.js';
import {
  type CreateWebhookDto,
  type ListWebhooksQuery,
  type UpdateWebhookDto,
  webhookSortKeys,
} from './dto/webhook.dto.js';
import { hostOf } from './receiver-url.js';
import { ReceiversService } from './receivers.service.js';
import { type NewWebhookSecret, WebhookSecretsService } from './webhook-secrets.service.js';
import { Webhook, WebhookRedelivery } from './webhook.entity.js';
import { TooManyWebhooks, WebhookNotFound } from './webhooks.errors.js';
import { lockWebhook } from './webhooks.queries.js';

/** Every replica can deliver to all of them at the same time. */
export const MAX_WEBHOOKS = 100;

const unique = <T>(values: readonly T[]): T[] => [...new Set(values)];

/** For the audit trail. */
const auditable = ({ url, types, status }: Webhook) => ({ host: hostOf(url), types, status });

/** For the audit trail: `changed` names the URL, also if only its path changes. */
const urlChange = (before: string, after: string) => ({
  host: hostOf(after),
  ...(hostOf(before) !== hostOf(after) && { former_host: hostOf(before) }),
  ...(before !== after && { changed: ['url'] }),
});

/**
 * Reads, adds, changes and removes endpoints. Names are resolved before a transaction begins, and not at all within that of an
 * `Idempotency-Key`, which must not wait for the network.
 */
@Injectable()
export class WebhooksService {
  constructor(
    private readonly database: DatabaseService,
    private readonly cursors: Cursors,
    private readonly receivers: ReceiversService,
    private readonly secrets: WebhookSecretsService,
    private readonly audit: AuditService,
    private readonly clock: Clock,
  ) {}

  list(reader: Reader, query: ListWebhooksQuery): Promise<Page<Webhook>> {
    const { status } = query;
    const webhooks = this.database.manager.createQueryBuilder(Webhook, 'webhook');
    if (status !== undefined) webhooks.where('webhook.status = :status', { status });
    return listPage(
      selectedBy(webhooks),
      { reader, ...query, keys: webhookSortKeys, filters: { status } },
      this.cursors,
    );
  }

  /** Throws WebhookNotFound. */
  async get(id: string): Promise<Webhook> {
    const webhook = await this.database.manager.findOneBy(Webhook, { id });
    if (webhook === null) throw new WebhookNotFound();
    return webhook;
  }

  /** Receives the events from now on. Throws InvalidRequest and TooManyWebhooks. */
  async create(
    caller: Principal,
    { url: given, types }: CreateWebhookDto,
  ): Promise<{ webhook: Webhook; secret: NewWebhookSecret }> {
    const url = await this.receivers.validate(given, { resolves: !this.database.isJoined });
    return this.database.transaction(async (tx) => {
      await lockName(tx, 'webhooks');
      if ((await tx.countBy(Webhook, {})) >= MAX_WEBHOOKS) throw new TooManyWebhooks(MAX_WEBHOOKS);
      const now = this.clock.now();
      const webhook = tx.create(Webhook, {
        id: uuidv7(),
        url,
        types: unique(types),
        status: 'active',
        disabledReason: null,
        createdAt: now,
        position: String((await readState(tx)).lastSeq),
        failures: 0,
        failingSince: null,
        nextAttemptAt: now,
        leasedBy: null,
        leasedUntil: null,
      });
      await tx.insert(Webhook, webhook);
      const secret = await this.secrets.create(tx, webhook.id);
      await this.record(tx, caller, webhook.id, 'webhook_created', auditable(webhook));
      return { webhook, secret };
    });
  }

  /**
   * A new URL, other types and an activation end the wait after failed attempts; delivery continues after the last
   * delivered event. The outcome of an attempt to the former URL, or before a disabling, does not count.
   * Throws WebhookNotFound and InvalidRequest.
   */
  async update(caller: Principal, id: string, changes: UpdateWebhookDto): Promise<Webhook> {
    await this.get(id);
    const validUrl = changes.url === undefined ? undefined : await this.receivers.validate(changes.url);
    return this.database.transaction(async (tx) => {
      const before = await lockWebhook(tx, id);
      const { types, status = before.status } = changes;
      const url = validUrl ?? before.url;
      const after = { url, types: types === undefined ? before.types : unique(types), status };
      const diff = differences(before, { types: after.types, status });
      const isMoved = url !== before.url;
      const isActivated = status === 'active' && before.status === 'disabled';
      const changed = {
        ...after,
        disabledReason: status === 'active' ? null : (before.disabledReason ?? ('admin' as const)),
        ...((isMoved || isActivated || diff.types !== undefined) && {
          failures: 0,
          failingSince: null,
          nextAttemptAt: this.clock.now(),
        }),
        ...((isMoved || status === 'disabled') && { leasedBy: null, leasedUntil: null }),
      };
      await tx.update(Webhook, { id }, changed);
      if (status === 'disabled') await tx.delete(WebhookRedelivery, { webhookId: id });
      if (isMoved || Object.keys(diff).length > 0) {
        const details = { ...urlChange(before.url, url), diff };
        await this.record(tx, caller, id, 'webhook_changed', details);
      }
      return { ...before, ...changed };
    });
  }

  /** Also deletes its secrets and its log. Throws WebhookNotFound. */
  remove(caller: Principal, id: string): Promise<void> {
    return this.database.transaction(async (tx) => {
      const webhook = await lockWebhook(tx, id);
      await tx.delete(Webhook, { id });
      await this.record(tx, caller, id, 'webhook_deleted', auditable(webhook));
    });
  }

  private record(
    tx: EntityManager,
    caller: Principal,
    id: string,
    action: 'webhook_created' | 'webhook_changed' | 'webhook_deleted',
    details: object,
  ): Promise<void> {
    const target = { type: 'webhook', id } as const;
    return this.audit.record(tx, { action, actorId: caller.id, target, details: { ...details } });
  }
}
