import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { Clock } from '../core/clock.js';
import { DatabaseService } from '../core/database/database.service.js';
import { withOwnDeadline } from '../core/http/request-context.js';
import { AccountInvitationsService } from './account-invitations.service.js';
import { findOpenInvitation } from './invitations.queries.js';

/**
 * Accepts the invitations of existing accounts at a sign-in or after a request. Never fails: a change of groups can hold
 * the locks for long, and an invitation must not keep its user out. What could not be accepted stays open, and the next
 * request that reads the principal starts another attempt.
 */
@Injectable()
export class AccountAcceptanceService implements BeforeApplicationShutdown {
  private readonly logger = new Logger(AccountAcceptanceService.name);
  private readonly queued = new Set<string>();
  /** One attempt at a time: attempts that wait for the same lock must not occupy the pool. */
  private last: Promise<void> = Promise.resolve();

  constructor(
    private readonly database: DatabaseService,
    private readonly invitations: AccountInvitationsService,
    private readonly clock: Clock,
  ) {}

  /** For a sign-in, so that its first request has the access. */
  async attempt(userId: string): Promise<void> {
    try {
      await withOwnDeadline(() => this.accept(userId));
    } catch (error) {
      this.logger.warn({ msg: 'invitations were not accepted; the next request retries', err: error });
    }
  }

  /** For a request of an open session, which does not wait for it. */
  begin(userId: string): void {
    if (this.queued.has(userId)) return;
    this.queued.add(userId);
    const work = (): Promise<void> => this.attempt(userId).finally(() => this.queued.delete(userId));
    this.last = this.last.then(work);
  }

  private async accept(userId: string): Promise<void> {
    if (!(await findOpenInvitation(this.database.manager, userId, this.clock.now()))) return;
    await this.invitations.accept(userId);
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.last;
  }
}
