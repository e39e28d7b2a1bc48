import { Injectable } from '@nestjs/common';
import { Audit } from '../../audit/audit.service.js';
import { Database } from '../../core/database/database.service.js';
import { isBelowFloor } from '../../users/argon2-hash.js';
import { Passwords } from '../../users/passwords.service.js';
import type { Known } from '../../users/users.queries.js';
import { UsersService } from '../../users/users.service.js';
import { InvalidCredentials } from '../auth.errors.js';
import { PasswordGrant } from '../dto/token-request.dto.js';
import type { OpenSession } from '../../sessions/issued-session.js';
import { SignInLimits } from '../../rate-limit/sign-in-limits.service.js';
import { SessionsService } from '../../sessions/sessions.service.js';
import type { Grant } from './grant.js';

interface Verified {
  id: string;
  passwordHash: string;
}

@Injectable()
export class PasswordGrantHandler implements Grant<PasswordGrant> {
  static readonly grantType = undefined;
  static readonly body = PasswordGrant;
  static readonly status = 200;
  static readonly usesPassword = true;

  constructor(
    private readonly limits: SignInLimits,
    private readonly users: UsersService,
    private readonly passwords: Passwords,
    private readonly sessions: SessionsService,
    private readonly database: Database,
    private readonly audit: Audit,
  ) {}

  /** One answer, after one stretch of time, for every reason to refuse. */
  handle(guess: PasswordGrant): Promise<OpenSession> {
    return this.passwords.inTurn(() => this.signIn(guess));
  }

  private async signIn({ email, password }: PasswordGrant): Promise<OpenSession> {
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
      // Said in this order: the person's row is locked before anything else happens.
      const [isCurrent, session] = await Promise.all([
        this.users.signedIn(tx, id, passwordHash, renewedHash),
        this.sessions.openLocked(tx, id, 'password'),
      ]);
      if (!isCurrent) throw new InvalidCredentials();
      return session;
    });
  }

  private async verify(user: Known | null, password: string): Promise<Verified | null> {
    const matches = await this.passwords.verify(user?.passwordHash, password);
    if (!matches || user?.status !== 'active' || user.passwordHash === null) return null;
    return { id: user.id, passwordHash: user.passwordHash };
  }

  /** Every guess that was looked at: the limits keep their number small, so none is left out. */
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
