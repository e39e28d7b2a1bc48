import { Injectable } from '@nestjs/common';
import { LessThanOrEqual } from 'typeorm';
import { Clock } from '../../core/clock.js';
import { DatabaseService } from '../../core/database/database.service.js';
import { type Attempted, WebhookAttemptsService } from './webhook-attempts.service.js';
import { WebhookEventsService } from './webhook-events.service.js';
import { WebhookOutcomesService } from './webhook-outcomes.service.js';
import { WebhookRedelivery } from './webhook.entity.js';
import { type Leased, renewLease, skip, skipInRedelivery } from './webhooks.queries.js';

const BATCH = 100;

/** Delivers to one endpoint, one event at a time, as long as it holds the lease of the endpoint. */
@Injectable()
export class WebhookWorkerService {
  constructor(
    private readonly database: DatabaseService,
    private readonly events: WebhookEventsService,
    private readonly attempts: WebhookAttemptsService,
    private readonly outcomes: WebhookOutcomesService,
    private readonly clock: Clock,
  ) {}

  /** Ends when nothing is due, an attempt fails, another worker has taken over, or the signal aborts. */
  async run(id: string, worker: string, signal: AbortSignal): Promise<void> {
    for (;;) {
      const webhook = await renewLease(this.database.manager, id, worker);
      if (webhook === undefined || signal.aborted) return;
      const isDue = webhook.nextAttemptAt <= this.clock.now();
      const isDone = isDue ? await this.deliverBatch(webhook, worker, signal) : 'idle';
      if (isDone === 'stop') return;
      if (isDone === 'idle' && !(await this.redeliverNext(id, worker, signal))) return;
    }
  }

  /** Events before redeliveries: a long period does not delay new events. */
  private async deliverBatch(
    first: Leased,
    worker: string,
    signal: AbortSignal,
  ): Promise<'idle' | 'more' | 'stop'> {
    const { events, through } = await this.events.after(Number(first.position), {
      types: first.types,
      limit: BATCH,
    });
    let webhook: Leased | undefined = first;
    for (const event of events) {
      if (event !== events[0]) webhook = await renewLease(this.database.manager, first.id, worker);
      if (webhook === undefined || signal.aborted) return 'stop';
      if (webhook.types.join() !== first.types.join()) return 'more';
      const attempt = webhook.failures + 1;
      const { startBefore } = webhook;
      const options = { kind: 'event', attempt, seq: event.seq, startBefore } as const;
      const attempted = await this.attempts.send(webhook, event, options);
      if (isAbandoned(attempted, signal)) return 'stop';
      if (!(await this.outcomes.ofEvent(webhook, worker, event, attempted))) return 'stop';
    }
    const last = events.at(-1)?.seq ?? Number(first.position);
    if (through <= last) return events.length > 0 ? 'more' : 'idle';
    const isSkipped = await skip(this.database.manager, { id: first.id, worker, from: last, to: through });
    return isSkipped ? 'more' : 'stop';
  }

  /** Sends the next event of the oldest due redelivery, or continues the search for it. Returns whether the worker continues. */
  private async redeliverNext(webhookId: string, worker: string, signal: AbortSignal): Promise<boolean> {
    const { manager } = this.database;
    const due = await manager.findOne(WebhookRedelivery, {
      where: { webhookId, nextAttemptAt: LessThanOrEqual(this.clock.now()) },
      order: { id: 'ASC' },
    });
    if (due === null) return false;
    const webhook = await renewLease(manager, webhookId, worker);
    if (webhook === undefined) return false;
    const {
      events: [event],
      through,
    } = await this.events.nextOf(due, webhook.types);
    if (event === undefined && through < Number(due.through))
      return skipInRedelivery(manager, { id: due.id, worker, from: Number(due.position), to: through });
    if (event === undefined) {
      await manager.delete(WebhookRedelivery, { id: due.id });
      return true;
    }
    const { startBefore } = webhook;
    const attempt = due.failures + 1;
    const options = { kind: 'redelivery', attempt, seq: event.seq, startBefore } as const;
    const attempted = await this.attempts.send(webhook, event, options);
    if (isAbandoned(attempted, signal)) return false;
    await this.outcomes.ofRedelivery(due, worker, event, attempted);
    return true;
  }
}

/** Whether the shutdown may have ended the attempt: that is no failure of the receiver. */
const isAbandoned = ({ delivery }: Attempted, signal: AbortSignal): boolean =>
  signal.aborted && delivery.error !== null && delivery.statusCode === null;
