import type { EntityManager } from 'typeorm';
import { execute } from '../../core/database/execute.js';
import { timeAfter } from '../outbox/event-periods.queries.js';

/** Age in seconds of the oldest event that an active endpoint has not delivered; 0 without one. */
export async function backlogSeconds(manager: EntityManager, now: Date): Promise<number> {
  const { rows } = await execute<{ position: string | null }>(
    manager,
    `SELECT min(position) AS position FROM webhooks WHERE status = 'active'`,
    [],
  );
  const position = rows[0]?.position ?? null;
  const at = position === null ? undefined : await timeAfter(manager, Number(position));
  return at === undefined ? 0 : Math.max(0, (now.getTime() - at.getTime()) / 1000);
}
