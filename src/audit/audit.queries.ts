import type { EntityManager, Repository, SelectQueryBuilder } from 'typeorm';
import { execute, Parameters } from '../core/database/execute.js';
import { insertionOf, type NewEvent } from '../events/events.queries.js';
import type { AuditAction } from './audit-actions.js';
import type { AuditEvent } from './audit-event.entity.js';
import type { ListAuditEventsQuery } from './dto/list-audit-events.dto.js';

/** Of a list of events. */
export type AuditFilter = Omit<ListAuditEventsQuery, 'from' | 'to'> & { from?: Date; to?: Date };

/** SQL conditions by query parameter. */
const filters: Partial<Record<keyof AuditFilter, string>> = {
  action: 'event.action = :action',
  outcome: 'event.outcome = :outcome',
  actor_id: 'event.actorId = :actor_id',
  target_type: 'event.targetType = :target_type',
  target_id: 'event.targetId = lower(:target_id)',
  from: 'event.at >= :from',
  to: 'event.at < :to',
  request_id: 'event.requestId = :request_id',
};

export function selectEvents(
  events: Repository<AuditEvent>,
  asked: Partial<AuditFilter>,
): SelectQueryBuilder<AuditEvent> {
  const query = events.createQueryBuilder('event');
  for (const [name, condition] of Object.entries(filters)) {
    const value = asked[name as keyof AuditFilter];
    if (value !== undefined) query.andWhere(condition, { [name]: value });
  }
  return query;
}

interface EventCount {
  actorId: string;
  actions: readonly AuditAction[];
  since: Date;
  n: number;
  /** Whether to count only those of bulk requests, or only others. */
  isBulk: boolean;
}

/** When the actor's n-th latest of these events happened; undefined when there are fewer since then. */
export async function nthLatestEvent(
  tx: EntityManager,
  { actorId, actions, since, n, isBulk }: EventCount,
): Promise<Date | undefined> {
  const [event] = await tx.query<{ at: Date }[]>(
    `SELECT at FROM audit_events WHERE actor_id = $1 AND at > $2 AND action = ANY($3) AND (details ? 'bulk') = $5
     ORDER BY at DESC OFFSET $4 LIMIT 1`,
    [actorId, since, actions, n - 1, isBulk],
  );
  return event?.at;
}

/** Inserts the audit event and the event derived from it in one statement. */
export async function insertEvent(
  tx: EntityManager,
  event: AuditEvent,
  derived: NewEvent | null,
): Promise<void> {
  const parameters = new Parameters();
  const values = [
    event.id,
    event.at,
    event.action,
    event.outcome,
    event.actorId,
    event.targetType,
    event.targetId,
    event.ip,
    event.userAgent,
    event.requestId,
    event.details,
  ].map((value) => parameters.add(value));
  const first = derived === null ? '' : `WITH recorded AS (${insertionOf(derived, parameters)}) `;
  await execute(
    tx,
    `${first}INSERT INTO audit_events (id, at, action, outcome, actor_id, target_type, target_id, ip, user_agent,
       request_id, details)
     VALUES (${values.join(', ')})`,
    parameters.values,
  );
}
