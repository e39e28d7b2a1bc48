import { Injectable } from '@nestjs/common';
import { Audit } from '../audit/audit.service.js';
import { Database } from '../database/database.service.js';
import { Acceptance } from '../invitations/acceptance.service.js';
import { Passwords } from '../users/passwords.service.js';
import { UsersService } from '../users/users.service.js';
import { ACCESS_TOKEN_SECONDS, AccessTokens } from './access-tokens.service.js';
import { InvalidCredentials } from './auth.errors.js';
import {
  InvitationGrant,
  PasswordGrant,
  RefreshTokenGrant,
  type TokenRequest,
} from './dto/token-request.dto.js';
import { TokenResponseDto } from './dto/token-response.dto.js';
import { type OpenSession, SessionsService } from './sessions.service.js';

@Injectable()
export class AuthService {
  constructor(
    private readonly users: UsersService,
    private readonly passwords: Passwords,
    private readonly sessions: SessionsService,
    private readonly invitations: Acceptance,
    private readonly accessTokens: AccessTokens,
    private readonly database: Database,
    private readonly audit: Audit,
  ) {}

  async token(request: TokenRequest): Promise<TokenResponseDto> {
    const session = await this.sessionFor(request);
    return {
      access_token: await this.accessTokens.issue(session.userId, session.id),
      expires_in: ACCESS_TOKEN_SECONDS,
      token_type: 'Bearer',
      refresh_token: session.refreshToken,
      refresh_expires_in: session.refreshExpiresIn,
    };
  }

  private sessionFor(request: TokenRequest): Promise<OpenSession> {
    if (request instanceof PasswordGrant) return this.signIn(request);
    if (request instanceof RefreshTokenGrant) return this.sessions.refresh(request.refresh_token);
    return this.acceptInvitation(request);
  }

  /** One answer, after one stretch of time, for every reason to refuse. */
  private async signIn({ email, password }: PasswordGrant): Promise<OpenSession> {
    const user = await this.users.findForSignIn(email);
    const matches = await this.passwords.verify(user?.passwordHash, password);
    if (user === null || !matches || user.status !== 'active') {
      await this.signInFailed(user?.id ?? null);
      throw new InvalidCredentials();
    }
    const renewed = this.passwords.isBelowFloor(user.passwordHash ?? '')
      ? await this.passwords.hashUnchecked(password)
      : undefined;
    return this.database.transaction(async (tx) => {
      await this.users.signedIn(tx, user.id, renewed);
      const session = await this.sessions.open(tx, user.id, 'password');
      await this.audit.record(tx, {
        action: 'signed_in',
        actorId: user.id,
        target: { type: 'session', id: session.id },
        details: { method: 'password' },
      });
      return session;
    });
  }

  private async signInFailed(userId: string | null): Promise<void> {
    await this.database.transaction((tx) =>
      this.audit.record(tx, {
        action: 'sign_in_failed',
        outcome: 'denied',
        actorId: null,
        target: userId === null ? undefined : { type: 'user', id: userId },
      }),
    );
  }

  private async acceptInvitation({
    invitation_token,
    password,
    name,
  }: InvitationGrant): Promise<OpenSession> {
    const passwordHash = await this.passwords.hash(password);
    return this.database.transaction(async (tx) => {
      const user = await this.invitations.accept(tx, invitation_token, { passwordHash, name });
      return this.sessions.open(tx, user.id, 'invitation');
    });
  }
}
