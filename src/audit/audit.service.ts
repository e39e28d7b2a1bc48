import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { Clock } from '../core/clock.js';
import { emit } from '../core/telemetry/telemetry-events.js';
import { requestContext } from '../core/http/request-context.js';
import type { AuditAction } from './audit-actions.js';
import type { AuditOutcome, AuditTargetType } from './audit-event.entity.js';
import { insertEvent } from './audit.queries.js';

export interface AuditEntry {
  action: AuditAction;
  outcome?: AuditOutcome;
  /** The user or service account that caused the event; null if no user was signed in. */
  actorId: string | null;
  target?: { type: AuditTargetType; id: string };
  /** Changed fields. Must not contain secrets. */
  details?: Record<string, unknown>;
}

@Injectable()
export class AuditService {
  constructor(private readonly clock: Clock) {}

  /** Writes the event in the transaction of the change, so that either both are committed or neither. */
  async record(tx: EntityManager, { action, outcome, actorId, target, details }: AuditEntry): Promise<void> {
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
    try {
      await insertEvent(tx, event);
    } catch (error) {
      emit('audit_failed', {});
      throw error;
    }
    emit('audit_recorded', { action: event.action, outcome: event.outcome });
  }
}
