import { Injectable } from '@nestjs/common';
import { DatabaseService } from '../../core/database/database.service.js';
import { assignInvitations } from '../../invitations/invitations.queries.js';
import { PasswordsService } from '../../users/passwords.service.js';
import { UsersService } from '../../users/users.service.js';
import { InvalidPasswordReset } from '../../users/users.errors.js';
import { PasswordResetGrant, PasswordResetRequestGrant } from '../dto/token-request.dto.js';
import { TokenLimitsService } from '../../platform/rate-limit/token-limits.service.js';
import { PasswordChangesService } from '../passwords/password-changes.service.js';
import { ResetLinksService } from '../../users/reset-links.service.js';
import { lockActiveUser } from '../../users/users.queries.js';
import { PasswordMailService } from '../passwords/password-mail.service.js';
import type { Grant } from './grant.js';

@Injectable()
export class PasswordResetRequestGrantHandler implements Grant<PasswordResetRequestGrant> {
  static readonly grantType = 'password_reset_request';
  static readonly usesPassword = true;
  static readonly body = PasswordResetRequestGrant;
  static readonly status = 202;

  constructor(
    private readonly limits: TokenLimitsService,
    private readonly mail: PasswordMailService,
    private readonly database: DatabaseService,
  ) {}

  /** Behaves the same for every address, so the response does not reveal whether an account exists. */
  async handle({ email }: PasswordResetRequestGrant): Promise<null> {
    await this.limits.countResetRequest();
    await this.database.transaction((tx) => this.mail.enqueueReset(tx, email));
    return null;
  }
}

@Injectable()
export class PasswordResetGrantHandler implements Grant<PasswordResetGrant> {
  static readonly grantType = 'password_reset';
  static readonly usesPassword = true;
  static readonly body = PasswordResetGrant;
  static readonly status = 204;

  constructor(
    private readonly limits: TokenLimitsService,
    private readonly links: ResetLinksService,
    private readonly users: UsersService,
    private readonly passwords: PasswordsService,
    private readonly changes: PasswordChangesService,
    private readonly database: DatabaseService,
  ) {}

  /** Does not sign in: access to the mailbox alone opens no session, only the new password does. */
  async handle({ reset_token, password }: PasswordResetGrant): Promise<null> {
    const userId = await this.limits.lookUp(() => this.links.find(reset_token));
    const user = await this.users.get(userId);
    const passwordHash = await this.passwords.hash(password, user);
    await this.database.transaction(async (tx) => {
      if (!(await lockActiveUser(tx, userId))) throw new InvalidPasswordReset();
      await this.links.redeem(tx, reset_token);
      // The link was sent to this address.
      await assignInvitations(tx, user);
      await this.changes.apply(tx, { userId, passwordHash, action: 'password_reset' });
    });
    return null;
  }
}
