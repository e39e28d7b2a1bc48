import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { Clock } from '../core/clock.js';
import { emit } from '../core/telemetry/telemetry-events.js';
import { requestContext } from '../core/http/request-context.js';
import type { AuditAction } from './audit-actions.js';
import type { AuditOutcome, AuditTargetType } from './audit-event.entity.js';
import { EventsService } from '../events/events.service.js';
import { insertEvent } from './audit.queries.js';
import { eventOf } from './event-of-entry.js';

export interface AuditEntry {
  action: AuditAction;
  outcome?: AuditOutcome;
  /** The user or service account that caused the event; null if no user was signed in. */
  actorId: string | null;
  target?: { type: AuditTargetType; id: string };
  /** Changed fields. Must not contain secrets or values of a person: the trail outlasts an erasure. */
  details?: Record<string, unknown>;
}

@Injectable()
export class AuditService {
  constructor(
    private readonly clock: Clock,
    private readonly events: EventsService,
  ) {}

  /**
   * Writes the audit event, and the event for readers outside that is derived from it, in the transaction of the
   * change, so that either all are committed or none. Both have the same id.
   */
  async record(tx: EntityManager, entry: AuditEntry): Promise<void> {
    const { action, outcome, actorId, target, details } = entry;
    const request = requestContext();
    const event = {
      id: uuidv7(),
      at: this.clock.now(),
      action,
      outcome: outcome ?? ('allowed' as const),
      actorId,
      targetType: target?.type ?? null,
      targetId: target?.id ?? null,
      // CLI commands have no address.
      ip: request?.ip || null,
      userAgent: request?.userAgent ?? null,
      requestId: request?.requestId ?? null,
      details: { ...details },
    };
    const derived = eventOf(entry);
    try {
      await insertEvent(tx, event, derived && { ...derived, id: event.id, at: event.at });
    } catch (error) {
      emit('audit_failed', {});
      throw error;
    }
    if (derived !== null) this.events.announce(tx);
    emit('audit_recorded', { action: event.action, outcome: event.outcome });
  }
}
