import type { EntityManager, Repository, SelectQueryBuilder } from 'typeorm';
import { execute } from '../core/database/execute.js';
import type { AuditEvent } from './audit-event.entity.js';
import type { ListAuditEventsQuery } from './dto/list-audit-events.dto.js';

export interface AuditPerson {
  id: string;
  kind: 'person' | 'service';
  name: string | null;
  email: string | null;
  removed: boolean;
}

export type People = ReadonlyMap<string, AuditPerson>;

/** SQL conditions by query parameter. */
const filters: Partial<Record<keyof ListAuditEventsQuery, string>> = {
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
  asked: Partial<ListAuditEventsQuery>,
): SelectQueryBuilder<AuditEvent> {
  const query = events.createQueryBuilder('event');
  for (const [name, condition] of Object.entries(filters)) {
    const value = asked[name as keyof ListAuditEventsQuery];
    if (value !== undefined) query.andWhere(condition, { [name]: value });
  }
  return query;
}

/**
 * The users and service accounts that the events refer to, with their current names. Events contain only ids, so that
 * the name of an erased user is not available.
 */
export async function findActors(
  events: Repository<AuditEvent>,
  page: readonly AuditEvent[],
): Promise<People> {
  const ids = page.flatMap(({ actorId, targetType, targetId }) => [
    actorId,
    targetType === 'user' || targetType === 'service_account' ? targetId : null,
  ]);
  const unique = [...new Set(ids.filter((id) => id !== null))];
  if (unique.length === 0) return new Map();
  const people = await events.query<AuditPerson[]>(
    `SELECT id, kind, removed_at IS NOT NULL AS removed,
       CASE WHEN kind = 'service' OR removed_at IS NULL THEN name END AS name,
       CASE WHEN kind = 'person' AND removed_at IS NULL THEN email END AS email
     FROM users WHERE id = ANY($1::uuid[])`,
    [unique],
  );
  return new Map(people.map((person) => [person.id, person]));
}

export async function insertEvent(tx: EntityManager, event: AuditEvent): Promise<void> {
  await execute(
    tx,
    `INSERT INTO audit_events (id, at, action, outcome, actor_id, target_type, target_id, ip, user_agent, request_id, details)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
    [
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
    ],
  );
}
