import { Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { JwtModule } from '@nestjs/jwt';
import { PassportModule } from '@nestjs/passport';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditModule } from '../audit/audit.module.js';
import { LinkSecrets } from '../core/crypto/link-secrets.js';
import { InvitationsModule } from '../invitations/invitations.module.js';
import { MailModule } from '../mail/mail.module.js';
import { UsersModule } from '../users/users.module.js';
import { WorkspacesModule } from '../workspaces/workspaces.module.js';
import { AccessGuard } from './access.guard.js';
import { AccessTokensService } from './access-tokens.service.js';
import { AccountsController } from '../accounts/accounts.controller.js';
import { AccountsService } from '../accounts/accounts.service.js';
import { AuthController } from './auth.controller.js';
import { grantTypes } from './grant-types/grants.js';
import { JwksController } from './jwks.controller.js';
import { JwtStrategy } from './jwt.strategy.js';
import { ApiRateLimitsService } from '../rate-limit/api-budgets.service.js';
import { RateLimitGuard } from '../rate-limit/budget.guard.js';
import { redisClient } from '../rate-limit/redis-client.js';
import { LimitStoreService } from '../rate-limit/limit-store.service.js';
import { SignInLimitsService } from '../rate-limit/sign-in-limits.service.js';
import { TokenLimitsService } from '../rate-limit/token-limits.service.js';
import { providerSignIn } from '../oidc/provider-sign-in.js';
import { MeController } from '../accounts/me.controller.js';
import { OpenLinksService } from '../users/open-links.service.js';
import { PasswordChangeController } from '../passwords/password-change.controller.js';
import { PasswordChangeService } from '../passwords/password-change.service.js';
import { PasswordChangesService } from '../passwords/password-changes.service.js';
import { PasswordMailService } from '../passwords/password-mail.service.js';
import { PasswordReset } from '../passwords/password-reset.entity.js';
import { ResetLinksService } from '../passwords/reset-links.service.js';
import { PrincipalsService } from './principals.service.js';
import { ProfileService } from '../accounts/profile.service.js';
import { RefreshTokensService } from '../sessions/refresh-tokens.service.js';
import { ServiceAccountSecret } from '../service-accounts/service-account-secret.entity.js';
import { ServiceAccountSecretsService } from '../service-accounts/service-account-secrets.service.js';
import { ServiceAccountsController } from '../service-accounts/service-accounts.controller.js';
import { ServiceAccountsService } from '../service-accounts/service-accounts.service.js';
import { UserErasureService } from '../accounts/user-erasure.service.js';
import { Session } from '../sessions/session.entity.js';
import { SessionRefreshService } from '../sessions/session-refresh.service.js';
import { SessionCleanupService } from '../sessions/session-cleanup.service.js';
import { SessionsService } from '../sessions/sessions.service.js';
import { SessionsController } from '../sessions/sessions.controller.js';
import { SigningKeys } from './signing-keys.js';
import { TokenService } from './token.service.js';
import { SignatureCache } from './signature-cache.js';

@Module({
  imports: [
    AuditModule,
    InvitationsModule,
    MailModule,
    UsersModule,
    WorkspacesModule,
    JwtModule.register({}),
    PassportModule,
    TypeOrmModule.forFeature([PasswordReset, ServiceAccountSecret, Session, ...providerSignIn.entities]),
  ],
  controllers: [
    AuthController,
    SessionsController,
    MeController,
    PasswordChangeController,
    AccountsController,
    ServiceAccountsController,
    JwksController,
    ...providerSignIn.controllers,
  ],
  providers: [
    AccessTokensService,
    AccountsService,
    ApiRateLimitsService,
    JwtStrategy,
    PrincipalsService,
    ProfileService,
    RefreshTokensService,
    ServiceAccountSecretsService,
    ServiceAccountsService,
    UserErasureService,
    SessionRefreshService,
    SessionCleanupService,
    SessionsService,
    SigningKeys,
    LimitStoreService,
    redisClient,
    LinkSecrets,
    OpenLinksService,
    PasswordChangeService,
    PasswordChangesService,
    PasswordMailService,
    ResetLinksService,
    SignInLimitsService,
    TokenLimitsService,
    TokenService,
    SignatureCache,
    ...grantTypes,
    ...providerSignIn.providers,
    { provide: APP_GUARD, useClass: AccessGuard },
    { provide: APP_GUARD, useClass: RateLimitGuard },
  ],
  exports: [ApiRateLimitsService, JwtStrategy, PasswordMailService, SessionCleanupService],
})
export class AuthModule {}
