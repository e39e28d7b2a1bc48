import { Injectable } from '@nestjs/common';
import { DatabaseService } from '../../core/database/database.service.js';
import { InvitationAcceptanceService } from '../../invitations/invitation-acceptance.service.js';
import { PasswordsService } from '../../users/passwords.service.js';
import { UsersService } from '../../users/users.service.js';
import { InvitationGrant } from '../dto/token-request.dto.js';
import type { IssuedSession } from '../sessions/issued-session.js';
import { TokenLimitsService } from '../../platform/rate-limit/token-limits.service.js';
import { SessionsService } from '../sessions/sessions.service.js';
import type { Grant } from './grant.js';

@Injectable()
export class InvitationGrantHandler implements Grant<InvitationGrant> {
  static readonly grantType = 'invitation';
  static readonly body = InvitationGrant;
  static readonly status = 200;
  static readonly usesPassword = true;

  constructor(
    private readonly limits: TokenLimitsService,
    private readonly passwords: PasswordsService,
    private readonly acceptance: InvitationAcceptanceService,
    private readonly users: UsersService,
    private readonly sessions: SessionsService,
    private readonly database: DatabaseService,
  ) {}

  async handle({ invitation_token, password, name }: InvitationGrant): Promise<IssuedSession> {
    const invited = await this.limits.lookUp(() => this.acceptance.check(invitation_token));
    const owner = { email: invited.email, name: name ?? invited.name };
    const passwordHash = await this.passwords.hash(password, owner);
    return this.database.transaction(async (tx) => {
      const user = await this.acceptance.accept(tx, invitation_token, { passwordHash, name });
      await this.users.recordSignIn(tx, user.id);
      return this.sessions.open(tx, user.id, 'invitation');
    });
  }
}
