import type { AuditAction } from '../../audit/audit-actions.js';
import type { AuditEvent, AuditOutcome, AuditTargetType } from '../../audit/audit-event.entity.js';
import type { AuditPerson } from '../../users/users.queries.js';

export type People = ReadonlyMap<string, AuditPerson>;

export class AuditActorDto {
  type!: 'user' | 'service_account';
  id!: string;
  /** Current name; null for a person who was erased. */
  name!: string | null;
  email!: string | null;
  /** Whether the person was erased or the service account was deleted. */
  removed!: boolean;
}

export class AuditTargetDto {
  type!: AuditTargetType;
  id!: string;
  /** Current name of the user or service account; null for an erased person and for other target types. */
  name!: string | null;
}

export class AuditEventDto {
  id!: string;
  at!: Date;
  action!: AuditAction;
  outcome!: AuditOutcome;
  /** Null if no user was signed in. */
  actor!: AuditActorDto | null;
  target!: AuditTargetDto | null;
  ip!: string | null;
  user_agent!: string | null;
  request_id!: string | null;
  /** Changes as `{field: {from, to}}`, and other details of the event. */
  details!: Record<string, unknown>;

  static from(event: AuditEvent, people: People): AuditEventDto {
    const { targetType, targetId } = event;
    return {
      id: event.id,
      at: event.at,
      action: event.action,
      outcome: event.outcome,
      actor: event.actorId === null ? null : actorOf(event.actorId, people.get(event.actorId)),
      target:
        targetType === null || targetId === null
          ? null
          : { type: targetType, id: targetId, name: people.get(targetId)?.name ?? null },
      ip: event.ip,
      user_agent: event.userAgent,
      request_id: event.requestId,
      details: event.details,
    };
  }
}

const actorOf = (id: string, person: AuditPerson | undefined): AuditActorDto => ({
  type: person?.kind === 'service' ? 'service_account' : 'user',
  id,
  name: person?.name ?? null,
  email: person?.email ?? null,
  removed: person === undefined || person.removed,
});

export class AuditEventListDto {
  audit_events!: AuditEventDto[];
}
