import { Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { JwtModule } from '@nestjs/jwt';
import { PassportModule } from '@nestjs/passport';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditModule } from '../audit/audit.module.js';
import { InvitationsModule } from '../invitations/invitations.module.js';
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
import { MeController } from './me.controller.js';
import { RefreshTokens } from './refresh-tokens.service.js';
import { User } from '../users/user.entity.js';
import { ServiceAccountSecret } from './service-accounts/service-account-secret.entity.js';
import { ServiceAccountSecrets } from './service-accounts/service-account-secrets.service.js';
import { ServiceAccountsController } from './service-accounts/service-accounts.controller.js';
import { ServiceAccountsService } from './service-accounts/service-accounts.service.js';
import { UserErasure } from './user-erasure.service.js';
import { Session } from './session.entity.js';
import { SessionRefresh } from './session-refresh.service.js';
import { SessionsService } from './sessions.service.js';
import { SessionsController } from './sessions.controller.js';
import { SigningKeys } from './signing-keys.js';
import { TokenService } from './token.service.js';

@Module({
  imports: [
    AuditModule,
    InvitationsModule,
    UsersModule,
    WorkspacesModule,
    JwtModule.register({}),
    PassportModule,
    TypeOrmModule.forFeature([Session, ServiceAccountSecret, User]),
  ],
  controllers: [
    AuthController,
    SessionsController,
    MeController,
    AccountsController,
    ServiceAccountsController,
    JwksController,
  ],
  providers: [
    AccessTokens,
    AccountsService,
    JwtStrategy,
    RefreshTokens,
    ServiceAccountSecrets,
    ServiceAccountsService,
    UserErasure,
    SessionRefresh,
    SessionsService,
    SigningKeys,
    TokenService,
    ...grantTypes,
    { provide: APP_GUARD, useClass: AccessGuard },
  ],
})
export class AuthModule {}
