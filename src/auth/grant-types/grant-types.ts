import { Injectable } from '@nestjs/common';
import { DatabaseService } from '../../core/database/database.service.js';
import { InvitationAcceptanceService } from '../../invitations/invitation-acceptance.service.js';
import { AuditDenialsService } from '../../platform/audit/audit-denials.service.js';
import { TokenLimitsService } from '../../platform/rate-limit/token-limits.service.js';
import { PasswordsService } from '../../users/passwords.service.js';
import { UsersService } from '../../users/users.service.js';
import {
  AuthorizationCodeGrant,
  ClientCredentialsGrant,
  InvitationGrant,
  RefreshTokenGrant,
  TOKEN_EXCHANGE,
  TokenExchangeGrant,
} from '../dto/token-request.dto.js';
import { ClaimsRefreshService } from '../oidc/claims-refresh.service.js';
import { ExchangedTokensService } from '../oidc/exchanged-tokens.service.js';
import { OidcProvisioningService } from '../oidc/oidc-provisioning.service.js';
import { SubjectTokensService } from '../oidc/subject-tokens.service.js';
import { ServiceAccountSecretsService } from '../service-accounts/service-account-secrets.service.js';
import type { IssuedSession } from '../sessions/issued-session.js';
import { LoginCodesService } from '../sessions/login-codes.service.js';
import { SessionRefreshService } from '../sessions/session-refresh.service.js';
import { InvalidCredentials } from '../sessions/sessions.errors.js';
import { SessionsService } from '../sessions/sessions.service.js';
import type { Grant, GrantType } from './grant.js';
import { PasswordResetGrantHandler, PasswordResetRequestGrantHandler } from './password-reset.grant.js';
import { PasswordGrantHandler } from './password.grant.js';

@Injectable()
export class RefreshTokenGrantHandler implements Grant<RefreshTokenGrant> {
  static readonly grantType = 'refresh_token';
  static readonly body = RefreshTokenGrant;

  constructor(
    private readonly sessions: SessionRefreshService,
    private readonly claimsRefresh: ClaimsRefreshService,
  ) {}

  async handle({ refresh_token }: RefreshTokenGrant): Promise<IssuedSession> {
    const session = await this.sessions.refresh(refresh_token);
    await this.claimsRefresh.run(session);
    return session;
  }
}

@Injectable()
export class InvitationGrantHandler implements Grant<InvitationGrant> {
  static readonly grantType = 'invitation';
  static readonly body = InvitationGrant;
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

@Injectable()
class ClientCredentialsGrantHandler implements Grant<ClientCredentialsGrant> {
  static readonly grantType = 'client_credentials';
  static readonly body = ClientCredentialsGrant;

  constructor(
    private readonly limits: TokenLimitsService,
    private readonly secrets: ServiceAccountSecretsService,
    private readonly sessions: SessionsService,
    private readonly database: DatabaseService,
    private readonly denials: AuditDenialsService,
  ) {}

  /** Throws the same InvalidCredentials for every failure. Issues no refresh token: the client keeps its secret. */
  async handle({ client_id, client_secret }: ClientCredentialsGrant): Promise<IssuedSession> {
    const session = await this.limits.lookUpClient(client_id, () => this.open(client_id, client_secret));
    if (session !== null) return session;
    await this.recordFailure();
    throw new InvalidCredentials();
  }

  private open(clientId: string, secret: string): Promise<IssuedSession | null> {
    return this.database.transaction(async (tx) => {
      const accountId = await this.secrets.use(tx, clientId, secret);
      if (accountId === null) return null;
      const { id, userId } = await this.sessions.open(tx, accountId, 'client');
      return { id, userId };
    });
  }

  private recordFailure(): Promise<void> {
    const entry = { action: 'sign_in_failed', actorId: null, details: { method: 'client' } } as const;
    return this.denials.record(entry);
  }
}

@Injectable()
export class AuthorizationCodeGrantHandler implements Grant<AuthorizationCodeGrant> {
  static readonly grantType = 'authorization_code';
  static readonly body = AuthorizationCodeGrant;

  constructor(private readonly codes: LoginCodesService) {}

  handle({ code, code_verifier }: AuthorizationCodeGrant): Promise<IssuedSession> {
    return this.codes.exchange(code, code_verifier);
  }
}

@Injectable()
class TokenExchangeGrantHandler implements Grant<TokenExchangeGrant> {
  static readonly grantType = TOKEN_EXCHANGE;
  static readonly body = TokenExchangeGrant;

  constructor(
    private readonly tokens: SubjectTokensService,
    private readonly admission: OidcProvisioningService,
    private readonly exchanged: ExchangedTokensService,
  ) {}

  handle({ subject_token }: TokenExchangeGrant): Promise<IssuedSession> {
    return this.admission.audited('exchange', async () => {
      const token = await this.tokens.verify(subject_token);
      const arrival = { claims: token.claims, refreshToken: undefined, isExchanged: true };
      return this.admission.completeSignIn(arrival, (tx, user) => this.exchanged.open(tx, token, user.id));
    });
  }
}

export const grantTypes: readonly GrantType[] = [
  PasswordGrantHandler,
  RefreshTokenGrantHandler,
  InvitationGrantHandler,
  ClientCredentialsGrantHandler,
  PasswordResetRequestGrantHandler,
  PasswordResetGrantHandler,
  AuthorizationCodeGrantHandler,
  TokenExchangeGrantHandler,
];
