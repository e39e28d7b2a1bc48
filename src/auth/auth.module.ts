import { Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { JwtModule } from '@nestjs/jwt';
import { PassportModule } from '@nestjs/passport';
import { AuditModule } from '../platform/audit/audit.module.js';
import { InvitationsModule } from '../invitations/invitations.module.js';
import { OidcModule } from './oidc/oidc.module.js';
import { PasswordsModule } from './passwords/passwords.module.js';
import { RateLimitGuard } from '../platform/rate-limit/rate-limit.guard.js';
import { RateLimitModule } from '../platform/rate-limit/rate-limit.module.js';
import { ServiceAccountsModule } from './service-accounts/service-accounts.module.js';
import { SessionsModule } from './sessions/sessions.module.js';
import { UnreadQueryGuard } from '../core/validation/unread-query.guard.js';
import { UsersModule } from '../users/users.module.js';
import { AccessGuard } from './access.guard.js';
import { AccessTokensService } from './access-tokens.service.js';
import { AuthController } from './auth.controller.js';
import { grantTypes } from './grant-types/grant-types.js';
import { JwksController } from './jwks.controller.js';
import { JwtStrategy } from './jwt.strategy.js';
import { PortalSessionController } from './portal-session/portal-session.controller.js';
import { PortalSessionService } from './portal-session/portal-session.service.js';
import { PrincipalsService } from './principals.service.js';
import { ResetLinkController } from './reset-link.controller.js';
import { SigningKeys } from './signing-keys.js';
import { TokenService } from './token.service.js';

@Module({
  imports: [
    AuditModule,
    InvitationsModule,
    OidcModule,
    PasswordsModule,
    RateLimitModule,
    ServiceAccountsModule,
    SessionsModule,
    UsersModule,
    JwtModule.register({}),
    PassportModule,
  ],
  controllers: [AuthController, JwksController, PortalSessionController, ResetLinkController],
  providers: [
    AccessTokensService,
    JwtStrategy,
    PortalSessionService,
    PrincipalsService,
    SigningKeys,
    TokenService,
    ...grantTypes,
    // The guards are registered here because Nest runs global guards in registration order: the rate limit needs the principal.
    { provide: APP_GUARD, useClass: AccessGuard },
    { provide: APP_GUARD, useClass: RateLimitGuard },
    { provide: APP_GUARD, useClass: UnreadQueryGuard },
  ],
  exports: [JwtStrategy],
})
export class AuthModule {}
