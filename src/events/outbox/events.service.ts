import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { Clock } from '../../core/clock.js';
import { afterCommit } from '../../core/database/after-commit.js';
import { DatabaseService } from '../../core/database/database.service.js';
import { maintainPartitions } from '../../core/database/partitions.js';
import { JobsService } from '../../platform/jobs/jobs.service.js';
import type { EventData, EventType } from './event-types.js';
import { EventDrainService } from './event-drain.service.js';
import { EventsExpired, UnknownPosition } from './events.errors.js';
import { type Event, type EventSelection, findEvents, insertEvents, readState } from './events.queries.js';

/** An event without an audit event. The service itself is its actor. */
export type Recorded = {
  [T in EventType]: {
    type: T;
    /** `<type>/<id>`. */
    subject: string;
    data: Omit<EventData<T>, 'actor_id'>;
  };
}[EventType];

export interface EventBatch {
  events: Event[];
  /** The position after this batch, including events of types that were not selected. */
  next: number;
  /** Whether events after `next` are already known. */
  isMore: boolean;
}

const KEPT_DAYS = 30;

@Injectable()
export class EventsService implements OnApplicationBootstrap {
  private readonly wake = (): void => this.drain.wake();

  constructor(
    private readonly database: DatabaseService,
    private readonly drain: EventDrainService,
    private readonly jobs: JobsService,
    private readonly clock: Clock,
  ) {}

  onApplicationBootstrap(): void {
    this.jobs.repeat('event_cleanup', '53 2 * * *', () => this.maintain(), { atStart: true });
  }

  /** Writes the events in the transaction of their cause. */
  async record(tx: EntityManager, events: readonly Recorded[]): Promise<void> {
    if (events.length === 0) return;
    const at = this.clock.now();
    const rows = events.map(({ type, subject, data }) => ({
      id: uuidv7(),
      type,
      subject,
      data: { actor_id: null, ...data },
      at,
    }));
    await insertEvents(tx, rows);
    this.announce(tx);
  }

  /** For a statement that inserts an event itself (`firstInsertionOf`): they receive their seq soon after the commit. */
  announce(tx: EntityManager): void {
    afterCommit(tx, this.wake);
  }

  /**
   * Returns events in ascending order of `seq`, which has no gaps: reading after `next` repeatedly returns each event
   * once. A batch may be empty although `isMore`, if none of the examined events has one of the types. Throws
   * EventsExpired, and UnknownPosition for a position after the last event.
   */
  async after({ after, limit, types }: EventSelection): Promise<EventBatch> {
    const selection = { after, limit, types };
    const { events, firstSeq, lastSeq, examined } = await findEvents(this.database.manager, selection);
    if (after !== undefined && after < firstSeq - 1) throw new EventsExpired(firstSeq);
    if (after !== undefined && after > lastSeq) throw new UnknownPosition(lastSeq);
    return { events, next: examined, isMore: examined < lastSeq };
  }

  /** Creates the monthly partitions of events ahead of time, and drops a month 30 days after its end. */
  maintain(): Promise<void> {
    return maintainPartitions(this.database, 'events', KEPT_DAYS);
  }

  /** The seq of the last event; 0 if there was none. */
  async lastSeq(): Promise<number> {
    return (await readState(this.database.manager)).lastSeq;
  }
}
