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
import { AccessTokens } from './access-tokens.service.js';
import { AccountsController } from '../accounts/accounts.controller.js';
import { AccountsService } from '../accounts/accounts.service.js';
import { AuthController } from './auth.controller.js';
import { grantTypes } from './grant-types/grants.js';
import { JwksController } from './jwks.controller.js';
import { JwtStrategy } from './jwt.strategy.js';
import { ApiBudgets } from '../rate-limit/api-budgets.service.js';
import { BudgetGuard } from '../rate-limit/budget.guard.js';
import { redisClient } from '../rate-limit/redis-client.js';
import { LimitStore } from '../rate-limit/limit-store.service.js';
import { SignInLimits } from '../rate-limit/sign-in-limits.service.js';
import { TokenLimits } from '../rate-limit/token-limits.service.js';
import { providerSignIn } from '../oidc/provider-sign-in.js';
import { MeController } from '../accounts/me.controller.js';
import { OpenLinks } from '../users/open-links.service.js';
import { OwnPasswordController } from '../passwords/password-change.controller.js';
import { OwnPassword } from '../passwords/password-change.service.js';
import { PasswordChanges } from '../passwords/password-changes.service.js';
import { PasswordMail } from '../passwords/password-mail.service.js';
import { PasswordReset } from '../passwords/password-reset.entity.js';
import { ResetLinks } from '../passwords/reset-links.service.js';
import { Principals } from './principals.service.js';
import { ProfileService } from '../accounts/profile.service.js';
import { RefreshTokens } from '../sessions/refresh-tokens.service.js';
import { ServiceAccountSecret } from '../service-accounts/service-account-secret.entity.js';
import { ServiceAccountSecrets } from '../service-accounts/service-account-secrets.service.js';
import { ServiceAccountsController } from '../service-accounts/service-accounts.controller.js';
import { ServiceAccountsService } from '../service-accounts/service-accounts.service.js';
import { UserErasure } from '../accounts/user-erasure.service.js';
import { Session } from '../sessions/session.entity.js';
import { SessionRefresh } from '../sessions/session-refresh.service.js';
import { SessionUpkeep } from '../sessions/session-cleanup.service.js';
import { SessionsService } from '../sessions/sessions.service.js';
import { SessionsController } from '../sessions/sessions.controller.js';
import { SigningKeys } from './signing-keys.js';
import { TokenService } from './token.service.js';
import { VerifiedTokens } from './signature-cache.js';

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
    OwnPasswordController,
    AccountsController,
    ServiceAccountsController,
    JwksController,
    ...providerSignIn.controllers,
  ],
  providers: [
    AccessTokens,
    AccountsService,
    ApiBudgets,
    JwtStrategy,
    Principals,
    ProfileService,
    RefreshTokens,
    ServiceAccountSecrets,
    ServiceAccountsService,
    UserErasure,
    SessionRefresh,
    SessionUpkeep,
    SessionsService,
    SigningKeys,
    LimitStore,
    redisClient,
    LinkSecrets,
    OpenLinks,
    OwnPassword,
    PasswordChanges,
    PasswordMail,
    ResetLinks,
    SignInLimits,
    TokenLimits,
    TokenService,
    VerifiedTokens,
    ...grantTypes,
    ...providerSignIn.providers,
    { provide: APP_GUARD, useClass: AccessGuard },
    { provide: APP_GUARD, useClass: BudgetGuard },
  ],
  exports: [ApiBudgets, JwtStrategy, PasswordMail, SessionUpkeep],
})
export class AuthModule {}
