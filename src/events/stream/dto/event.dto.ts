import type { EventType } from '../../outbox/event-types.js';
import type { Event } from '../../outbox/events.queries.js';

export class EventDto {
  /** The id of the audit event of the same change, if there is one. */
  id!: string;
  /** Position among all events: ascending, without gaps. */
  seq!: number;
  type!: EventType;
  /** What the event concerns: `<type>/<id>`. */
  subject!: string;
  /** Ids and kinds. The fields depend on the type: see the `webhooks` of this document. */
  data!: Record<string, unknown>;
  at!: Date;

  static from({ id, seq, type, subject, data, at }: Event): EventDto {
    return { id, seq, type, subject, data: { ...data }, at };
  }
}

export class EventListDto {
  events!: EventDto[];
}
