import { AsyncLocalStorage } from 'node:async_hooks';
import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import type { Request } from 'express';
import { templatesAt } from '../../core/http/allowed-methods.js';
import { Clock } from '../../core/clock.js';
import type { DenialRecorder } from '../../core/problems/denial-recorder.js';
import type { Problem } from '../../core/problems/problem.js';
import type { ProblemCode } from '../../core/problems/problem-catalogue.js';
import { clientAddress } from '../../core/http/client-address.js';
import { withOwnDeadline } from '../../core/http/request-context.js';
import { DatabaseService } from '../../core/database/database.service.js';
import type { AuditAction } from './audit-actions.js';
import { AuditService, type AuditEntry } from './audit.service.js';

const WINDOW_MS = 60_000;
const POLL_INTERVAL_MS = 5_000;
/** Kinds of denial that one replica distinguishes within a window; all others are counted together. */
const MAX_KINDS = 500;

/**
 * Denials that no feature records itself, because the request is rejected before it or its transaction is rolled back.
 * Any other 403 is `access_denied`.
 */
const denialDescriptions: Partial<Record<ProblemCode, AuditAction>> = {
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
};

/** Routes that create or renew sessions, or check the secrets of links. */
const signInRoutes = new Set([
  '/api/auth/token',
  '/login/password-reset/preview',
  '/login/invitation/preview',
  '/login/session',
  '/login/refresh',
  '/login/callback',
]);

type Details = Record<string, unknown>;

interface Kind {
  /** Writes in the context of the first request. */
  write: (details: Details) => Promise<void>;
  details: Details;
  since: Date;
  repeats: number;
}

/**
 * Records denials, which any client can cause without limit. The first of a kind is written at once; repetitions within
 * a minute become one row with their count, so that a flood cannot fill the disk but is still recorded.
 */
@Injectable()
export class AuditDenialsService implements DenialRecorder, OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger(AuditDenialsService.name);
  private readonly kinds = new Map<string, Kind>();
  private readonly recorded = new WeakSet<Problem>();
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

  async recordProblem(problem: Problem, request: Request): Promise<void> {
    if (this.recorded.has(problem)) return;
    const { code } = problem;
    const matched = (request.route as { path?: string } | undefined)?.path;
    // The rate limit of an address applies before the router has matched a route.
    const route = matched ?? (code === 'rate_limited' ? templatesAt(request)[0] : undefined) ?? null;
    const isBlocked = code === 'rate_limited' && route !== null && signInRoutes.has(route);
    const usual = problem.entry.status === 403 ? 'access_denied' : undefined;
    const action = isBlocked ? 'sign_in_blocked' : (denialDescriptions[code] ?? usual);
    if (action === undefined) return;
    const details = { method: request.method, route, code };
    await this.record({ action, actorId: request.user?.id ?? null, details });
  }

  /** Instead of `recordProblem`: the denial has an action of its own. */
  recordOwn(problem: Problem, denied: Omit<AuditEntry, 'outcome'>): Promise<void> {
    this.recorded.add(problem);
    return this.record(denied);
  }

  /**
   * Writes in a separate transaction, because that of the denied request is rolled back, and after it, if others join it.
   * Never throws. The address distinguishes callers without an account.
   */
  async record(denied: Omit<AuditEntry, 'outcome'>): Promise<void> {
    const { key, entry } = this.kindOf({ ...denied, outcome: 'denied' });
    const known = this.kinds.get(key);
    if (known !== undefined && !this.isOver(known)) {
      known.repeats += 1;
      return;
    }
    const write = AsyncLocalStorage.bind((details: Details) => this.write({ ...entry, details }));
    this.kinds.set(key, { write, details: { ...entry.details }, since: this.clock.now(), repeats: 0 });
    await this.database.afterJoined(async () => {
      if (known !== undefined) await this.close(known);
      await this.write(entry);
    });
  }

  /** Writes the repetitions of all expired windows; with `all`, at shutdown, of the other windows too. */
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

  private kindOf(entry: AuditEntry): { key: string; entry: AuditEntry } {
    const { action, outcome, actorId, target, details } = entry;
    const key = JSON.stringify([action, actorId ?? clientAddress(), target, details]);
    if (this.kinds.size < MAX_KINDS || this.kinds.has(key)) return { key, entry };
    return { key: action, entry: { action, outcome, actorId: null, details: { code: 'others' } } };
  }

  private async write(entry: AuditEntry): Promise<void> {
    try {
      await withOwnDeadline(() => this.database.newTransaction((tx) => this.audit.record(tx, entry)));
    } catch (error) {
      this.logger.error({ msg: 'failed to write a denial to the audit trail', err: error });
    }
  }
}
