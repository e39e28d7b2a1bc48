import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { AuditService } from '../../platform/audit/audit.service.js';
import { type EventPeriod, findPeriod } from '../outbox/event-periods.queries.js';
import { Clock } from '../../core/clock.js';
import { DatabaseService } from '../../core/database/database.service.js';
import { TimesService } from '../../core/database/times.service.js';
import type { Principal } from '../../core/http/principal.js';
import { Cursors, type Reader } from '../../core/lists/cursors.js';
import { listPage, type Page, selectedBy } from '../../core/lists/pagination.js';
import { InvalidRequest } from '../../core/problems/problem.js';
import { deliverySortKeys, type ListDeliveriesQuery, type RedeliverPeriodDto } from './dto/webhook.dto.js';
import { Webhook, WebhookDelivery, WebhookRedelivery } from './webhook.entity.js';
import { WebhookEventsService } from './webhook-events.service.js';
import {
  DeliveryNotFound,
  EventNotRetained,
  TooManyRedeliveries,
  WebhookDisabled,
  WebhookNotFound,
} from './webhooks.errors.js';
import { lockWebhook } from './webhooks.queries.js';

/** For each endpoint. */
const MAX_REDELIVERIES = 1000;

type Request = Pick<WebhookRedelivery, 'eventId' | 'fromAt' | 'toAt'> & EventPeriod;

/** The log of attempts, and requests to send events again. */
@Injectable()
export class WebhookDeliveriesService {
  constructor(
    private readonly database: DatabaseService,
    private readonly events: WebhookEventsService,
    private readonly audit: AuditService,
    private readonly cursors: Cursors,
    private readonly clock: Clock,
    private readonly times: TimesService,
  ) {}

  /** Throws WebhookNotFound. */
  async list(reader: Reader, webhookId: string, query: ListDeliveriesQuery): Promise<Page<WebhookDelivery>> {
    const { status, event_id: eventId, ...page } = query;
    if (!(await this.database.manager.existsBy(Webhook, { id: webhookId }))) throw new WebhookNotFound();
    const deliveries = this.database.manager
      .createQueryBuilder(WebhookDelivery, 'delivery')
      .where('delivery.webhookId = :webhookId', { webhookId });
    if (status !== undefined)
      deliveries.andWhere(`delivery.error IS ${status === 'failed' ? 'NOT NULL' : 'NULL'}`);
    if (eventId !== undefined) deliveries.andWhere('delivery.eventId = :eventId', { eventId });
    const filters = { webhookId, status, eventId };
    return listPage(
      selectedBy(deliveries),
      { reader, ...page, keys: deliverySortKeys, filters },
      this.cursors,
    );
  }

  /** Sends the event of an attempt again. Throws the problems of `request`, DeliveryNotFound and EventNotRetained. */
  redeliver(caller: Principal, webhookId: string, id: string): Promise<WebhookRedelivery> {
    return this.database.transaction(async (tx) => {
      const webhook = await lockWebhook(tx, webhookId);
      const delivery = await tx.findOneBy(WebhookDelivery, { id, webhookId });
      if (delivery === null) throw new DeliveryNotFound();
      const { eventId, seq } = delivery;
      const through = Number(seq);
      if (seq === null || !(await this.events.isStored(tx, through))) throw new EventNotRetained();
      const request = { eventId, fromAt: null, toAt: null, after: through - 1, through };
      return this.request(tx, caller, webhook, request);
    });
  }

  /** Sends the events of a period again, in order. Throws the problems of `request`, and InvalidRequest. */
  async redeliverPeriod(
    caller: Principal,
    webhookId: string,
    given: RedeliverPeriodDto,
  ): Promise<WebhookRedelivery> {
    const [from, to] = [await this.times.startOf(given.from), await this.times.endOf(given.to)];
    if (from >= to) throw new InvalidRequest([{ pointer: '/to', detail: 'to must be later than from' }]);
    return this.database.transaction(async (tx) => {
      const webhook = await lockWebhook(tx, webhookId);
      const period = await findPeriod(tx, from, to);
      return this.request(tx, caller, webhook, { eventId: null, fromAt: from, toAt: to, ...period });
    });
  }

  /** Throws WebhookNotFound, WebhookDisabled and TooManyRedeliveries. */
  private async request(
    tx: EntityManager,
    caller: Principal,
    { id: webhookId, status }: Webhook,
    { after, through, ...request }: Request,
  ): Promise<WebhookRedelivery> {
    if (status === 'disabled') throw new WebhookDisabled();
    if ((await tx.countBy(WebhookRedelivery, { webhookId })) >= MAX_REDELIVERIES)
      throw new TooManyRedeliveries(MAX_REDELIVERIES);
    const now = this.clock.now();
    const redelivery = tx.create(WebhookRedelivery, {
      id: uuidv7(),
      webhookId,
      ...request,
      position: String(after),
      through: String(through),
      failures: 0,
      nextAttemptAt: now,
      createdAt: now,
    });
    await tx.insert(WebhookRedelivery, redelivery);
    await this.audit.record(tx, {
      action: 'webhook_redelivery_requested',
      actorId: caller.id,
      target: { type: 'webhook', id: webhookId },
      details: { event_id: request.eventId, from: request.fromAt, to: request.toAt },
    });
    return redelivery;
  }
}
