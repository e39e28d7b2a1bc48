import { Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { JwtModule } from '@nestjs/jwt';
import { PassportModule } from '@nestjs/passport';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditModule } from '../audit/audit.module.js';
import { LinkSecrets } from '../common/link-secrets.js';
import { InvitationsModule } from '../invitations/invitations.module.js';
import { MailModule } from '../mail/mail.module.js';
import { UsersModule } from '../users/users.module.js';
import { WorkspacesModule } from '../workspaces/workspaces.module.js';
import { AccessGuard } from './access.guard.js';
import { AccessTokens } from './access-tokens.service.js';
import { AccountsController } from './accounts.controller.js';
import { AccountsService } from './accounts.service.js';
import { AuthController } from './auth.controller.js';
import { grantTypes } from './grants/grants.js';
import { JwksController } from './jwks.controller.js';
import { JwtStrategy } from './jwt.strategy.js';
import { ApiBudgets } from './limits/api-budgets.service.js';
import { BudgetGuard } from './limits/budget.guard.js';
import { redisClient } from './limits/redis-client.js';
import { LimitStore } from './limits/limit-store.service.js';
import { SignInLimits } from './limits/sign-in-limits.service.js';
import { TokenLimits } from './limits/token-limits.service.js';
import { providerSignIn } from './login/provider-sign-in.js';
import { MeController } from './me.controller.js';
import { OpenLinks } from './open-links.service.js';
import { OwnPasswordController } from './passwords/own-password.controller.js';
import { OwnPassword } from './passwords/own-password.service.js';
import { PasswordChanges } from './passwords/password-changes.service.js';
import { PasswordMail } from './passwords/password-mail.service.js';
import { PasswordReset } from './passwords/password-reset.entity.js';
import { ResetLinks } from './passwords/reset-links.service.js';
import { Principals } from './principals.service.js';
import { ProfileService } from './profile.service.js';
import { RefreshTokens } from './refresh-tokens.service.js';
import { ServiceAccountSecret } from './service-accounts/service-account-secret.entity.js';
import { ServiceAccountSecrets } from './service-accounts/service-account-secrets.service.js';
import { ServiceAccountsController } from './service-accounts/service-accounts.controller.js';
import { ServiceAccountsService } from './service-accounts/service-accounts.service.js';
import { UserErasure } from './user-erasure.service.js';
import { Session } from './session.entity.js';
import { SessionRefresh } from './session-refresh.service.js';
import { SessionUpkeep } from './session-upkeep.service.js';
import { SessionsService } from './sessions.service.js';
import { SessionsController } from './sessions.controller.js';
import { SigningKeys } from './signing-keys.js';
import { TokenService } from './token.service.js';
import { VerifiedTokens } from './verified-tokens.js';

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
