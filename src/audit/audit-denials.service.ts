import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import type { Request } from 'express';
import { Clock } from '../common/clock.js';
import type { Denials } from '../common/denials.js';
import type { Problem } from '../common/problem.js';
import type { ProblemCode } from '../common/problem-catalogue.js';
import { Database } from '../database/database.service.js';
import type { AuditAction } from './audit-actions.js';
import { Audit, type AuditEntry } from './audit.service.js';

const WINDOW_MS = 60_000;
const LOOK_MS = 5_000;
/** Kinds of denial that one replica tells apart within a window; the rest is counted together. */
const MAX_KINDS = 500;

/** Refusals that no feature writes down itself, because they are refused before it or roll its transaction back. */
const refusals: Partial<Record<ProblemCode, AuditAction>> = {
  access_denied: 'access_denied',
  invalid_refresh_token: 'token_refresh_failed',
  invalid_invitation: 'sign_in_failed',
  invitation_accepted: 'sign_in_failed',
  invitation_expired: 'sign_in_failed',
  invitation_revoked: 'sign_in_failed',
};

interface Kind {
  entry: AuditEntry;
  since: Date;
  repeats: number;
}

/**
 * Denials, which anybody can cause as often as they like: the first of a kind is written at once, its repeats within a
 * minute become one row with their number. So a flood of them fills no disk and still leaves its trace.
 */
@Injectable()
export class AuditDenials implements Denials, OnModuleDestroy {
  private readonly logger = new Logger(AuditDenials.name);
  private readonly kinds = new Map<string, Kind>();
  private readonly timer = setInterval(() => void this.flush(), LOOK_MS).unref();

  constructor(
    private readonly database: Database,
    private readonly audit: Audit,
    private readonly clock: Clock,
  ) {}

  onModuleDestroy(): void {
    clearInterval(this.timer);
  }

  async answered({ code, entry: { status } }: Problem, request: Request): Promise<void> {
    const isRateLimited = code === 'rate_limited' && request.path === '/api/auth/token';
    const action = isRateLimited ? 'sign_in_blocked' : refusals[code];
    if (action === undefined && status !== 403) return;
    const route = (request.route as { path?: string } | undefined)?.path ?? null;
    const details = { method: request.method, route, code };
    const entry = { action: action ?? 'access_denied', actorId: request.user?.id ?? null, details } as const;
    await this.record(entry, request.ip);
  }

  /** In a transaction of its own: what is refused is rolled back. Never throws. `ip` tells apart who has no account. */
  async record(denied: Omit<AuditEntry, 'outcome'>, ip = ''): Promise<void> {
    const entry = { ...denied, outcome: 'denied' } as const;
    await this.flush();
    const key = this.keyOf(entry, ip);
    const known = this.kinds.get(key);
    if (known !== undefined) {
      known.repeats += 1;
      return;
    }
    this.kinds.set(key, { entry, since: this.clock.now(), repeats: 0 });
    await this.write(entry);
  }

  /** Writes the repeats of every window that is over; `all` at the end, of the others too. */
  async flush({ all = false } = {}): Promise<void> {
    const end = this.clock.now().getTime() - WINDOW_MS;
    for (const [key, { entry, since, repeats }] of this.kinds) {
      if (!all && since.getTime() > end) continue;
      this.kinds.delete(key);
      if (repeats === 0) continue;
      await this.write({ ...entry, details: { ...entry.details, repeats, since: since.toISOString() } });
    }
  }

  private keyOf({ action, actorId, target, details }: AuditEntry, ip: string): string {
    const key = JSON.stringify([action, actorId ?? ip, target, details]);
    return this.kinds.size < MAX_KINDS || this.kinds.has(key) ? key : action;
  }

  private async write(entry: AuditEntry): Promise<void> {
    try {
      await this.database.transaction((tx) => this.audit.record(tx, entry));
    } catch (error) {
      this.logger.error({ msg: 'a denial could not be written to the audit trail', err: error });
    }
  }
}
