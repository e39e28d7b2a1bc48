import { Injectable } from '@nestjs/common';
import type { Principal } from '../../core/http/principal.js';
import { DatabaseService } from '../../core/database/database.service.js';
import { PasswordsService } from '../../users/passwords.service.js';
import { UsersService } from '../../users/users.service.js';
import { SignInLimitsService } from '../../platform/rate-limit/sign-in-limits.service.js';
import { lockActiveUser } from '../../users/users.queries.js';
import type { ChangePasswordDto } from './dto/change-password.dto.js';
import { PasswordChangesService } from './password-changes.service.js';
import { Problem } from '../../core/problems/problem.js';

class WrongPassword extends Problem {
  constructor() {
    const detail = 'This is not your current password.';
    super('wrong_password', detail, { errors: [{ pointer: '/current_password', detail }] });
  }
}

@Injectable()
export class PasswordChangeService {
  constructor(
    private readonly database: DatabaseService,
    private readonly users: UsersService,
    private readonly passwords: PasswordsService,
    private readonly limits: SignInLimitsService,
    private readonly changes: PasswordChangesService,
  ) {}

  /** Throws WrongPassword, PasswordRejected, and TooManyAttempts because an unattended session also allows guessing. */
  async change(caller: Principal, { current_password, new_password }: ChangePasswordDto): Promise<void> {
    const user = await this.users.findForSignIn(caller.email);
    const { result: verified } = await this.limits.evaluate(caller.email, user?.passwordHash, async () => {
      const matches = await this.passwords.verify(user?.passwordHash, current_password);
      return matches ? user : null;
    });
    if (verified === null) throw new WrongPassword();
    const passwordHash = await this.passwords.hash(new_password, verified, '/new_password');
    await this.database.transaction(async (tx) => {
      await lockActiveUser(tx, caller.id);
      const now = await this.users.passwordHashOf(tx, caller.id);
      if (now !== verified.passwordHash) throw new WrongPassword();
      const change = { userId: caller.id, passwordHash, except: caller.sessionId };
      await this.changes.apply(tx, { ...change, action: 'password_changed' });
    });
  }
}
