import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { DatabaseService } from '../../core/database/database.service.js';
import type { EventType } from '../outbox/event-types.js';
import { type Event, findEvents } from '../outbox/events.queries.js';
import type { WebhookRedelivery } from './webhook.entity.js';

interface Selection {
  /** Empty: all types. */
  types: readonly EventType[];
  limit: number;
}

export interface Batch {
  events: Event[];
  /** All matching events up to this seq are in the batch. */
  through: number;
}

const selected = (types: readonly EventType[]) => (types.length === 0 ? undefined : types);

/** The events as webhooks send them. An endpoint that has fallen behind the retention continues with the first stored event. */
@Injectable()
export class WebhookEventsService {
  constructor(private readonly database: DatabaseService) {}

  async after(seq: number, { types, limit }: Selection): Promise<Batch> {
    const selection = { after: seq, limit, types: selected(types) };
    const { events, examined } = await findEvents(this.database.manager, selection);
    return { events, through: examined };
  }

  async isStored(manager: EntityManager, seq: number): Promise<boolean> {
    const { events } = await findEvents(manager, { after: seq - 1, limit: 1 });
    return events[0]?.seq === seq;
  }

  /**
   * The next event of a redelivery. A batch without events may end before the end of the redelivery: each call examines a bounded
   * number of events. A single event is sent whatever the types.
   */
  async nextOf(
    { position, through, fromAt, toAt }: WebhookRedelivery,
    types: readonly EventType[],
  ): Promise<Batch> {
    const end = Number(through);
    const isPeriod = fromAt !== null && toAt !== null;
    const { events, examined, lastSeq } = await findEvents(this.database.manager, {
      after: Number(position),
      through: end,
      limit: 1,
      ...(isPeriod && { types: selected(types), from: fromAt, to: toAt }),
    });
    return { events, through: examined < lastSeq ? examined : end };
  }
}
