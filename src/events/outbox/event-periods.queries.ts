import type { EntityManager } from 'typeorm';
import { execute } from '../../core/database/execute.js';

/** Events between two times. All of them have a seq above `after` and up to `through`; both are 0 without events. */
export interface EventPeriod {
  after: number;
  through: number;
}

/** Finds the stored events that occurred from `from` until before `to`. */
export async function findPeriod(manager: EntityManager, from: Date, to: Date): Promise<EventPeriod> {
  const { rows } = await execute<{ first: string | null; last: string | null }>(
    manager,
    'SELECT min(seq) AS first, max(seq) AS last FROM events WHERE at >= $1 AND at < $2',
    [from, to],
  );
  const [row] = rows;
  if (row === undefined || row.first === null) return { after: 0, through: 0 };
  return { after: Number(row.first) - 1, through: Number(row.last) };
}

/** Time of the first stored event after a seq; undefined if there is none. */
export async function timeAfter(manager: EntityManager, seq: number): Promise<Date | undefined> {
  const { rows } = await execute<{ at: Date }>(
    manager,
    'SELECT at FROM events WHERE seq > $1 ORDER BY seq LIMIT 1',
    [seq],
  );
  return rows[0]?.at;
}
