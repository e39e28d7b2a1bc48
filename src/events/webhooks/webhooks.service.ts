import { Injectable } from '@nestjs/common';
import { DatabaseService } from '../../core/database/database.service.js';
import { Cursors, type Reader } from '../../core/lists/cursors.js';
import { listPage, type Page, selectedBy } from '../../core/lists/pagination.js';
import { type ListWebhooksQuery, webhookSortKeys } from './dto/webhook.dto.js';
import { Webhook } from './webhook.entity.js';
import { WebhookNotFound } from './webhooks.errors.js';

/** Reads the endpoints. */
@Injectable()
export class WebhooksService {
  constructor(
    private readonly database: DatabaseService,
    private readonly cursors: Cursors,
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
}
