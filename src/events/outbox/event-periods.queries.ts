import {
  type EntityManager,
  type FindOperator,
  IsNull,
  LessThan,
  MoreThan,
  MoreThanOrEqual,
  Not,
} from 'typeorm';
import { readState } from './events.queries.js';
import { StoredEvent } from './stored-event.entity.js';

/** All stored events between two times have a seq above `after` and up to `through`; so can others shortly before and after. */
export interface EventPeriod {
  after: number;
  through: number;
}

/**
 * An event has its time before it is inserted, and its seq after the commit: of two events that are this far apart, the earlier one was
 * committed before the later one was inserted, and has the lower seq. No transaction that writes an event takes as long, and the clocks of
 * replicas differ by less.
 */
const MAX_DISORDER_MS = 3_600_000;

/**
 * Finds the stored events that occurred from `from` until before `to`. Reads one event at each end, by the key: the first and last seq of
 * the period would require all events of the period, or all others of its months.
 */
export async function findPeriod(manager: EntityManager, from: Date, to: Date): Promise<EventPeriod> {
  const before = new Date(from.getTime() - MAX_DISORDER_MS);
  const past = new Date(to.getTime() + MAX_DISORDER_MS);
  const after = await findSeq(manager, LessThan(before), 'DESC');
  const next = await findSeq(manager, MoreThanOrEqual(past), 'ASC');
  return { after: after ?? 0, through: next === undefined ? (await readState(manager)).lastSeq : next - 1 };
}

/** The seq of the first event in this order of time. */
async function findSeq(
  manager: EntityManager,
  at: FindOperator<Date>,
  order: 'ASC' | 'DESC',
): Promise<number | undefined> {
  const event = await manager.findOne(StoredEvent, {
    where: { at, seq: Not(IsNull()) },
    select: { id: true, seq: true },
    order: { at: order, id: order },
  });
  return event === null ? undefined : Number(event.seq);
}

/** Time of the first stored event after a seq; undefined if there is none. */
export async function timeAfter(manager: EntityManager, seq: number): Promise<Date | undefined> {
  const event = await manager.findOne(StoredEvent, {
    where: { seq: MoreThan(String(seq)) },
    select: { id: true, at: true },
    order: { seq: 'ASC' },
  });
  return event?.at;
}
