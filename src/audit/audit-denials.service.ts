import { AsyncLocalStorage } from 'node:async_hooks';
import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import type { Request } from 'express';
import { templatesAt } from '../core/http/allowed-methods.js';
import { Clock } from '../core/clock.js';
import type { DenialRecorder } from '../core/problems/denial-recorder.js';
import type { Problem } from '../core/problems/problem.js';
import type { ProblemCode } from '../core/problems/problem-catalogue.js';
import { withoutDeadline } from '../core/http/request-context.js';
import { DatabaseService } from '../core/database/database.service.js';
import type { AuditAction } from './audit-actions.js';
import { AuditService, type AuditEntry } from './audit.service.js';

const WINDOW_MS = 60_000;
const POLL_INTERVAL_MS = 5_000;
/** Kinds of denial that one replica tells apart within a window; the rest is counted together. */
const MAX_KINDS = 500;

/** Refusals that no feature writes down itself, because they are refused before it or roll its transaction back. */
const denialDescriptions: Partial<Record<ProblemCode, AuditAction>> = {
  access_denied: 'access_denied',
  invalid_refresh_token: 'token_refresh_failed',
  invalid_invitation: 'sign_in_failed',
  invitation_accepted: 'sign_in_failed',
  invitation_expired: 'sign_in_failed',
  invitation_revoked: 'sign_in_failed',
  invalid_password_reset: 'sign_in_failed',
  invalid_login_code: 'sign_in_failed',
  invalid_subject_token: 'sign_in_failed',
  sign_in_interrupted: 'sign_in_failed',
  password_sign_in_disabled: 'sign_in_failed',
  cross_site_request: 'access_denied',
};

/** Where sessions begin and are renewed. */
const signInRoutes = new Set(['/api/auth/token', '/login/session', '/login/refresh', '/login/callback']);

type Details = Record<string, unknown>;

interface Kind {
  /** As part of the request that was first. */
  write: (details: Details) => Promise<void>;
  details: Details;
  since: Date;
  repeats: number;
}

/**
 * Denials, which anybody can cause as often as they like: the first of a kind is written at once, its repeats within a
 * minute become one row with their number. So a flood of them fills no disk and still leaves its trace.
 */
@Injectable()
export class AuditDenialsService implements DenialRecorder, OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger(AuditDenialsService.name);
  private readonly kinds = new Map<string, Kind>();
  private timer?: NodeJS.Timeout;

  constructor(
    private readonly database: DatabaseService,
    private readonly audit: AuditService,
    private readonly clock: Clock,
  ) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => void this.flush(), POLL_INTERVAL_MS).unref();
  }

  async onApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await this.flush({ all: true });
  }

  async recordProblem({ code, entry: { status } }: Problem, request: Request): Promise<void> {
    if (code !== 'rate_limited' && denialDescriptions[code] === undefined && status !== 403) return;
    const matched = (request.route as { path?: string } | undefined)?.path;
    // The budget of an address is spent before the router has matched.
    const route = matched ?? (code === 'rate_limited' ? templatesAt(request)[0] : undefined) ?? null;
    const isBlocked = code === 'rate_limited' && route !== null && signInRoutes.has(route);
    const action = isBlocked ? 'sign_in_blocked' : denialDescriptions[code];
    if (action === undefined && status !== 403) return;
    const details = { method: request.method, route, code };
    const entry = { action: action ?? 'access_denied', actorId: request.user?.id ?? null, details } as const;
    await this.record(entry, request.ip);
  }

  /** In a transaction of its own: what is refused is rolled back. Never throws. `ip` tells apart who has no account. */
  async record(denied: Omit<AuditEntry, 'outcome'>, ip = ''): Promise<void> {
    const { key, entry } = this.kindOf({ ...denied, outcome: 'denied' }, ip);
    const known = this.kinds.get(key);
    if (known !== undefined && !this.isOver(known)) {
      known.repeats += 1;
      return;
    }
    const write = AsyncLocalStorage.bind((details: Details) => this.write({ ...entry, details }));
    this.kinds.set(key, { write, details: { ...entry.details }, since: this.clock.now(), repeats: 0 });
    if (known !== undefined) await this.close(known);
    await this.write(entry);
  }

  /** Writes the repeats of every window that is over; `all` at the end, of the others too. */
  async flush({ all = false } = {}): Promise<void> {
    for (const [key, kind] of this.kinds) {
      if (!all && !this.isOver(kind)) continue;
      this.kinds.delete(key);
      await this.close(kind);
    }
  }

  private isOver({ since }: Kind): boolean {
    return this.clock.now().getTime() - since.getTime() >= WINDOW_MS;
  }

  private async close({ write, details, since, repeats }: Kind): Promise<void> {
    if (repeats > 0) await write({ ...details, repeats, since });
  }

  private kindOf(entry: AuditEntry, ip: string): { key: string; entry: AuditEntry } {
    const { action, outcome, actorId, target, details } = entry;
    const key = JSON.stringify([action, actorId ?? ip, target, details]);
    if (this.kinds.size < MAX_KINDS || this.kinds.has(key)) return { key, entry };
    return { key: action, entry: { action, outcome, actorId: null, details: { code: 'others' } } };
  }

  private async write(entry: AuditEntry): Promise<void> {
    try {
      await withoutDeadline(() => this.database.newTransaction((tx) => this.audit.record(tx, entry)));
    } catch (error) {
      this.logger.error({ msg: 'a denial could not be written to the audit trail', err: error });
    }
  }
}
