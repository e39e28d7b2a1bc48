// SQL, because events are inserted as a set, also as a part of another statement.
import type { EntityManager, SelectQueryBuilder } from 'typeorm';
import { arrayParameters, execute, firstRow } from '../../core/database/execute.js';
import type { Cursors, Reader } from '../../core/lists/cursors.js';
import { listPage, type Page, selectedBy } from '../../core/lists/pagination.js';
import {
  firstInsertionOf,
  insertedValues,
  insertionOf,
  type NewEvent,
} from '../../events/outbox/events.queries.js';
import type { AuditAction } from './audit-actions.js';
import { AuditEvent } from './audit-event.entity.js';
import { auditSortKeys, type ListAuditEventsQuery } from './dto/list-audit-events.dto.js';

/** Of a list of events. */
export type AuditFilter = Omit<ListAuditEventsQuery, 'from' | 'to'> & { from?: Date; to?: Date };

/** SQL conditions by query parameter. */
const filters: Partial<Record<keyof AuditFilter, string>> = {
  action: 'event.action = :action',
  outcome: 'event.outcome = :outcome',
  actor_id: 'event.actorId = :actor_id',
  target_type: 'event.targetType = :target_type',
  target_id: 'event.targetId = lower(:target_id)',
  // A socket for both protocols shows an IPv4 address as a mapped one.
  ip: `event.ip IN (:ip, '::ffff:' || :ip)`,
  from: 'event.at >= :from',
  to: 'event.at < :to',
  request_id: 'event.requestId = :request_id',
};

function selectEvents(
  manager: EntityManager,
  requested: Partial<AuditFilter>,
): SelectQueryBuilder<AuditEvent> {
  const query = manager.createQueryBuilder(AuditEvent, 'event');
  for (const [name, condition] of Object.entries(filters)) {
    const value = requested[name as keyof AuditFilter];
    if (value !== undefined) query.andWhere(condition, { [name]: value });
  }
  return query;
}

/** Events contain ids only: `audit-trail` adds the current names. */
export function listEvents(
  manager: EntityManager,
  cursors: Cursors,
  reader: Reader,
  { limit, cursor, sort, ...requested }: AuditFilter,
): Promise<Page<AuditEvent>> {
  return listPage(
    selectedBy(selectEvents(manager, requested)),
    { reader, limit, cursor, sort, keys: auditSortKeys, filters: { ...requested } },
    cursors,
  );
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
  const event = await tx
    .createQueryBuilder(AuditEvent, 'event')
    .where('event.actorId = :actorId AND event.at > :since', { actorId, since })
    .andWhere(`event.action = ANY(:actions) AND (event.details ? 'bulk') = :isBulk`, { actions, isBulk })
    .orderBy('event.at', 'DESC')
    .offset(n - 1)
    .limit(1)
    .getOne();
  return event?.at;
}

/** SQL type and value of the columns of `audit_events`. */
const columns: Record<string, [type: string, of: (event: AuditEvent) => unknown]> = {
  id: ['uuid', ({ id }) => id],
  at: ['timestamptz', ({ at }) => at],
  action: ['text', ({ action }) => action],
  outcome: ['text', ({ outcome }) => outcome],
  actor_id: ['uuid', ({ actorId }) => actorId],
  target_type: ['text', ({ targetType }) => targetType],
  target_id: ['text', ({ targetId }) => targetId],
  ip: ['text', ({ ip }) => ip],
  user_agent: ['text', ({ userAgent }) => userAgent],
  request_id: ['text', ({ requestId }) => requestId],
  details: ['jsonb', ({ details }) => JSON.stringify(details)],
};

/** Audit events, and the events for readers outside that are derived from them. */
export interface AuditRows {
  events: readonly AuditEvent[];
  derived: readonly NewEvent[];
}

const names = Object.keys(columns).join(', ');
const types = Object.values(columns).map(([type]) => type);

const auditValues = (events: readonly AuditEvent[]): unknown[] =>
  Object.values(columns).map(([, of]) => events.map(of));

/**
 * SQL: CTEs that insert the first audit event and the first derived event, as a part of the statement that writes the change: their
 * parameters begin with `$first`. They insert nothing unless `condition`.
 */
export const auditCtes = (first: number, condition: string): string =>
  `audited AS (
     INSERT INTO audit_events (${names})
     SELECT ${firstRow(arrayParameters(types, first))} WHERE ${condition}
   ), recorded AS (${firstInsertionOf(first + types.length, condition)})`;

/** The parameters of `auditCtes`. */
export const auditCteValues = ({ events, derived }: AuditRows): unknown[] => [
  ...auditValues(events),
  ...insertedValues(derived),
];

const insertion = `INSERT INTO audit_events (${names})
  SELECT ${names} FROM unnest(${arrayParameters(types, 1).join(', ')}) AS given (${names})`;
const insertionWithDerived = `WITH recorded AS (${insertionOf(types.length + 1)}) ${insertion}`;

/** Inserts audit events and the events derived from them in one statement. */
export async function insertAuditEvents(tx: EntityManager, { events, derived }: AuditRows): Promise<void> {
  const [text, values] =
    derived.length === 0
      ? [insertion, auditValues(events)]
      : [insertionWithDerived, auditCteValues({ events, derived })];
  await execute(tx, text, values);
}
