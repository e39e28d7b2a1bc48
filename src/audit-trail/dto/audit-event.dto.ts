import { ApiProperty } from '#openapi';
import type { AuditAction } from '../../platform/audit/audit-actions.js';
import type { AuditEvent, AuditOutcome, AuditTargetType } from '../../platform/audit/audit-event.entity.js';
import type { AuditPerson } from '../../users/users.queries.js';

/** Current names by id. */
export interface AuditNames {
  people: ReadonlyMap<string, AuditPerson>;
  groups: ReadonlyMap<string, string>;
  /** Addresses by the id of the invitation. */
  invitees: ReadonlyMap<string, string>;
}

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
  /** An id; of settings their name. */
  @ApiProperty({ pattern: String.raw`^\S+$` })
  id!: string;
  /**
   * Current name of the user, service account or group, or the last one of a deleted group as far as the event contains it;
   * the address of an invitee; null for an erased person and for other target types.
   */
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

  static from(event: AuditEvent, names: AuditNames): AuditEventDto {
    const { targetType, targetId } = event;
    return {
      id: event.id,
      at: event.at,
      action: event.action,
      outcome: event.outcome,
      actor: event.actorId === null ? null : actorOf(event.actorId, names.people.get(event.actorId)),
      target:
        targetType === null || targetId === null
          ? null
          : { type: targetType, id: targetId, name: nameOf(event, targetId, names) },
      ip: event.ip,
      user_agent: event.userAgent,
      request_id: event.requestId,
      details: event.details,
    };
  }
}

function nameOf(
  { targetType, details }: AuditEvent,
  id: string,
  { people, groups, invitees }: AuditNames,
): string | null {
  if (targetType === 'invitation') return invitees.get(id) ?? null;
  if (targetType !== 'group') return people.get(id)?.name ?? null;
  return groups.get(id) ?? (typeof details.name === 'string' ? details.name : null);
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
