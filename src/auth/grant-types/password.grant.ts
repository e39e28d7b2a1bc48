import { Injectable } from '@nestjs/common';
import { AuditService } from '../../platform/audit/audit.service.js';
import { DatabaseService } from '../../core/database/database.service.js';
import { isBelowFloor } from '../../users/argon2-hash.js';
import { PasswordsService } from '../../users/passwords.service.js';
import type { SignInCandidate } from '../../users/users.queries.js';
import { UsersService } from '../../users/users.service.js';
import { InvalidCredentials } from '../sessions/sessions.errors.js';
import { PasswordGrant } from '../dto/token-request.dto.js';
import type { IssuedSession } from '../sessions/issued-session.js';
import { SignInLimitsService } from '../../platform/rate-limit/sign-in-limits.service.js';
import { SessionsService } from '../sessions/sessions.service.js';
import type { Grant } from './grant.js';

interface Verified {
  id: string;
  passwordHash: string;
}

@Injectable()
export class PasswordGrantHandler implements Grant<PasswordGrant> {
  static readonly grantType = undefined;
  static readonly body = PasswordGrant;
  static readonly usesPassword = true;

  constructor(
    private readonly limits: SignInLimitsService,
    private readonly users: UsersService,
    private readonly passwords: PasswordsService,
    private readonly sessions: SessionsService,
    private readonly database: DatabaseService,
    private readonly audit: AuditService,
  ) {}

  /** Throws the same error after the same time for every failure, so that accounts cannot be enumerated. */
  handle(guess: PasswordGrant): Promise<IssuedSession> {
    return this.passwords.withSignInSlot(() => this.signIn(guess));
  }

  private async signIn({ email, password }: PasswordGrant): Promise<IssuedSession> {
    const user = await this.users.findForSignIn(email);
    const { result, lockedSeconds } = await this.limits.evaluate(email, user?.passwordHash, () =>
      this.verify(user, password),
    );
    if (result === null) {
      await this.recordFailure(user?.id, lockedSeconds);
      throw new InvalidCredentials();
    }
    const { id, passwordHash } = result;
    const renewedHash = isBelowFloor(passwordHash) ? await this.passwords.hashUnchecked(password) : undefined;
    return this.database.transaction(async (tx) => {
      // Order matters: the first statement locks the user's row before the second one runs.
      const [isCurrent, session] = await Promise.all([
        this.users.completePasswordSignIn(tx, id, passwordHash, renewedHash),
        this.sessions.openLocked(tx, id, 'password'),
      ]);
      if (!isCurrent) throw new InvalidCredentials();
      return session;
    });
  }

  private async verify(user: SignInCandidate | null, password: string): Promise<Verified | null> {
    const matches = await this.passwords.verify(user?.passwordHash, password);
    if (!matches || user?.status !== 'active' || user.passwordHash === null) return null;
    return { id: user.id, passwordHash: user.passwordHash };
  }

  /** Audits every failed attempt that was verified. The sign-in limits bound their number, so none is omitted. */
  private recordFailure(userId: string | undefined, lockedSeconds: number): Promise<void> {
    return this.database.transaction((tx) =>
      this.audit.record(tx, {
        action: 'sign_in_failed',
        outcome: 'denied',
        actorId: null,
        target: userId === undefined ? undefined : { type: 'user', id: userId },
        details: lockedSeconds > 0 ? { locked_seconds: lockedSeconds } : {},
      }),
    );
  }
}
