import { ApiPropertyOptional } from '#openapi';
import { Transform } from 'class-transformer';
import { ArrayMaxSize, IsIn, IsInt, Min } from 'class-validator';
import { MAX_PAGE, WholeNumber } from '../../../core/lists/list-query.dto.js';
import { OptionalField } from '../../../core/validation/validators.js';
import { type EventType, eventTypeNames } from '../../outbox/event-types.js';
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

const MAX_DIGITS = 15;

const separated = ({ value }: { value: unknown }): unknown =>
  typeof value === 'string' ? value.split(',') : value;

/** A `seq`: digits only. */
export const position = ({ value }: { value: unknown }): unknown =>
  typeof value === 'string' && new RegExp(`^\\d{1,${MAX_DIGITS}}$`).test(value) ? Number(value) : value;

export class ListEventsQuery {
  /**
   * Returns only events whose `seq` is greater. Without it, a list starts with the oldest stored event, a stream with
   * the next one.
   */
  @OptionalField()
  @Transform(position)
  @IsInt({ message: 'after must be the seq of an event, digits only' })
  @Min(0)
  after?: number;

  /** Returns only events of this type, or of these types, separated by commas. */
  @OptionalField()
  @Transform(separated)
  @ArrayMaxSize(eventTypeNames.length)
  @IsIn(eventTypeNames, {
    each: true,
    message: 'type must be one of the types of events, see docs/events.md',
  })
  @ApiPropertyOptional({ type: 'string' })
  type?: EventType[];

  /**
   * The maximum number of events to return. A page may contain fewer. If more events follow, the `Link` header contains
   * the URL of the next page. A stream ignores it.
   */
  @WholeNumber(1, MAX_PAGE)
  limit: number = MAX_PAGE;
}
