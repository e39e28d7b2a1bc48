import { type EntityManager, MoreThan } from 'typeorm';
import { StoredEvent } from './stored-event.entity.js';

/** Events between two times. All of them have a seq above `after` and up to `through`; both are 0 without events. */
export interface EventPeriod {
  after: number;
  through: number;
}

/** Finds the stored events that occurred from `from` until before `to`. */
export async function findPeriod(manager: EntityManager, from: Date, to: Date): Promise<EventPeriod> {
  const row = await manager
    .createQueryBuilder(StoredEvent, 'event')
    .select('min(event.seq)', 'first')
    .addSelect('max(event.seq)', 'last')
    .where('event.at >= :from AND event.at < :to', { from, to })
    .getRawOne<{ first: string | null; last: string | null }>();
  if (row === undefined || row.first === null) return { after: 0, through: 0 };
  return { after: Number(row.first) - 1, through: Number(row.last) };
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
