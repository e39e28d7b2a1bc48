import type { Db } from 'pg-boss';
import { type QueueName, queues } from '../../core/database/queues.js';

/** Job counts of a queue, and by how many seconds its oldest waiting job is overdue. */
export interface Backlog {
  queue: QueueName;
  waiting: number;
  running: number;
  /** Failed after the last attempt; retained for a limited time. */
  dead: number;
  oldestSeconds: number;
}

interface BacklogRow {
  name: string;
  waiting: string;
  running: string;
  dead: string;
  oldest: string | null;
}

const backlogOf = (queue: QueueName, row?: BacklogRow): Backlog => ({
  queue,
  waiting: Number(row?.waiting ?? 0),
  running: Number(row?.running ?? 0),
  dead: Number(row?.dead ?? 0),
  oldestSeconds: Math.max(0, Number(row?.oldest ?? 0)),
});

/** Returns the backlog of all queues. */
export async function readBacklog(db: Db): Promise<Backlog[]> {
  const { rows } = await db.executeSql(
    `SELECT name, count(*) FILTER (WHERE state < 'active') AS waiting,
       count(*) FILTER (WHERE state = 'active') AS running,
       count(*) FILTER (WHERE state = 'failed') AS dead,
       extract(epoch FROM now() - min(start_after) FILTER (WHERE state < 'active')) AS oldest
     FROM pgboss.job WHERE name = ANY($1) GROUP BY name`,
    [Object.keys(queues)],
  );
  const found = new Map((rows as BacklogRow[]).map((row) => [row.name, row]));
  return (Object.keys(queues) as QueueName[]).map((queue) => backlogOf(queue, found.get(queue)));
}
