import type { EntityManager } from 'typeorm';
import { timeAfter } from '../outbox/event-periods.queries.js';
import { Webhook } from './webhook.entity.js';

/** Age in seconds of the oldest event that an active endpoint has not delivered; 0 without one. */
export async function backlogSeconds(manager: EntityManager, now: Date): Promise<number> {
  const first = await manager.findOne(Webhook, {
    where: { status: 'active' },
    select: { id: true, position: true },
    order: { position: 'ASC' },
  });
  const at = first === null ? undefined : await timeAfter(manager, Number(first.position));
  return at === undefined ? 0 : Math.max(0, (now.getTime() - at.getTime()) / 1000);
}
