import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { Clock } from '../../core/clock.js';
import { Config } from '../../core/config/config.js';
import { DatabaseService } from '../../core/database/database.service.js';
import { maintainPartitions } from '../../core/database/partitions.js';
import { chunksOf } from '../../core/lists/chunks.js';
import { databaseProblem } from '../../core/problems/database-problem.js';
import { emit } from '../../core/telemetry/telemetry-events.js';
import { requestContext } from '../../core/http/request-context.js';
import type { AuditAction } from './audit-actions.js';
import type { AuditEvent, AuditOutcome, AuditTargetType } from './audit-event.entity.js';
import { EventsService } from '../../events/outbox/events.service.js';
import { JobsService } from '../jobs/jobs.service.js';
import { type AuditRows, insertAuditEvents } from './audit.queries.js';
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

/** Bounds a statement. */
const MAX_EVENTS = 1000;

@Injectable()
export class AuditService implements OnApplicationBootstrap {
  constructor(
    private readonly clock: Clock,
    private readonly events: EventsService,
    private readonly database: DatabaseService,
    private readonly jobs: JobsService,
    private readonly config: Config,
  ) {}

  onApplicationBootstrap(): void {
    this.jobs.repeat('audit_cleanup', '23 3 * * *', () => this.maintain(), { atStart: true });
  }

  /**
   * Writes the audit event, and the event for readers outside that is derived from it, in the transaction of the
   * change, so that either all are committed or none. Both have the same id.
   */
  record(tx: EntityManager, entry: AuditEntry): Promise<void> {
    return this.recordAll(tx, [entry]);
  }

  /** The same for several changes, in one statement for each thousand. */
  async recordAll(tx: EntityManager, entries: readonly AuditEntry[]): Promise<void> {
    for (const chunk of chunksOf(entries, MAX_EVENTS)) await this.insert(tx, chunk);
  }

  /**
   * The same with the statement that writes the change (`auditCtes`), whose result tells whether it inserted the rows. Its failure counts
   * as one of the audit trail unless the database is busy or unavailable, or the request ended.
   */
  async recordBy<T>(
    tx: EntityManager,
    entry: AuditEntry,
    { write, isWritten }: { write: (rows: AuditRows) => Promise<T>; isWritten: (result: T) => boolean },
  ): Promise<T> {
    const rows = this.rowsOf([entry]);
    const result = await write(rows).catch((error: unknown) => {
      if (databaseProblem(error) === undefined) emit('audit_failed', {});
      throw error;
    });
    if (isWritten(result)) this.announce(tx, rows);
    return result;
  }

  /**
   * Monthly partitions of the audit trail: created ahead of time, so that writes never wait for one, and dropped as a
   * whole after the retention period.
   */
  maintain(): Promise<void> {
    return maintainPartitions(this.database, 'audit', this.config.audit.retentionDays);
  }

  private async insert(tx: EntityManager, entries: readonly AuditEntry[]): Promise<void> {
    const rows = this.rowsOf(entries);
    try {
      await insertAuditEvents(tx, rows);
    } catch (error) {
      emit('audit_failed', {});
      throw error;
    }
    this.announce(tx, rows);
  }

  private rowsOf(entries: readonly AuditEntry[]): AuditRows {
    const at = this.clock.now();
    const events = entries.map((entry) => eventFrom(entry, at));
    const derived = entries.flatMap((entry, index) => {
      const found = eventOf(entry);
      return found === null ? [] : [{ ...found, id: (events[index] as AuditEvent).id, at }];
    });
    return { events, derived };
  }

  private announce(tx: EntityManager, { events, derived }: AuditRows): void {
    if (derived.length > 0) this.events.announce(tx);
    for (const { action, outcome } of events) emit('audit_recorded', { action, outcome });
  }
}

function eventFrom({ action, outcome, actorId, target, details }: AuditEntry, at: Date): AuditEvent {
  const request = requestContext();
  return {
    id: uuidv7(),
    at,
    action,
    outcome: outcome ?? 'allowed',
    actorId,
    targetType: target?.type ?? null,
    targetId: target?.id ?? null,
    // CLI commands have no address.
    ip: request?.ip || null,
    userAgent: request?.userAgent ?? null,
    requestId: request?.requestId ?? null,
    details: { ...details },
  };
}
