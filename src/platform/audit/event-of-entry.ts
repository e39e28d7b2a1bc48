import { type EventType, fieldsOf } from '../../events/outbox/event-types.js';
import { eventOfAction } from './audit-actions.js';
import type { AuditEntry } from './audit.service.js';

interface DerivedEvent {
  type: EventType;
  subject: string;
  data: Record<string, unknown>;
}

/** Names of the changed fields, of attributes without their own names. */
const changedIn = ({ diff, changed }: Record<string, unknown>): string[] => {
  const names = ((changed ?? []) as string[]).map((name) => name.split('.')[0] as string);
  return [...new Set([...Object.keys(diff ?? {}), ...names])];
};

/** Selects the fields of the event's type: audit details may contain names of groups, which an event must not. */
export function eventOf({ action, actorId, target, details = {} }: AuditEntry): DerivedEvent | null {
  const type = eventOfAction[action];
  // Only denials that are counted together have no target.
  if (type === null || target === undefined) return null;
  const known: Record<string, unknown> = {
    ...details,
    source: details.source === 'manual' ? null : details.source,
    changed: changedIn(details),
    actor_id: actorId,
    [`${target.type}_id`]: target.id,
  };
  const data = Object.fromEntries(fieldsOf(type).map(({ name }) => [name, known[name] ?? null]));
  return { type, subject: `${target.type}/${target.id}`, data };
}
