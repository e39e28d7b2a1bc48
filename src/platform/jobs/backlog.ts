import type { Db } from 'pg-boss';
import { type QueueName, queues } from '../../core/database/queues.js';

/**
 * Job counts of a queue, and by how many seconds its oldest waiting job is overdue. A retry is overdue since its job was
 * created: each failed attempt postpones it, so a queue whose jobs all fail would never be late.
 */
export interface Backlog {
  queue: QueueName;
  waiting: number;
  running: number;
  /** Failed after the last attempt; retained for a limited time. */
  dead: number;
  oldestSeconds: number;
}

export async function readBacklog(db: Db): Promise<Backlog[]> {
  const { rows } = await db.executeSql(
    `SELECT given.name AS queue, count(*) FILTER (WHERE job.state < 'active')::int AS waiting,
       count(*) FILTER (WHERE job.state = 'active')::int AS running,
       count(*) FILTER (WHERE job.state = 'failed')::int AS dead,
       greatest(0, extract(epoch FROM now() - min(CASE job.state WHEN 'retry' THEN job.created_on ELSE job.start_after END)
         FILTER (WHERE job.state < 'active')))::float8 AS "oldestSeconds"
     FROM unnest($1::text[]) AS given (name) LEFT JOIN pgboss.job ON job.name = given.name GROUP BY given.name`,
    [Object.keys(queues)],
  );
  return rows as Backlog[];
}
