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
import { providerSignIn } from './login/provider-sign-in.js';
import { MeController } from './me.controller.js';
import { RefreshTokens } from './refresh-tokens.service.js';
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
    TypeOrmModule.forFeature([Session, ...providerSignIn.entities]),
  ],
  controllers: [
    AuthController,
    SessionsController,
    MeController,
    AccountsController,
    JwksController,
    ...providerSignIn.controllers,
  ],
  providers: [
    AccessTokens,
    AccountsService,
    JwtStrategy,
    RefreshTokens,
    SessionRefresh,
    SessionsService,
    SigningKeys,
    TokenService,
    ...grantTypes,
    ...providerSignIn.providers,
    { provide: APP_GUARD, useClass: AccessGuard },
  ],
})
export class AuthModule {}
