import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditModule } from '../../platform/audit/audit.module.js';
import { Sealer } from '../../core/crypto/sealer.js';
import { InvitationsModule } from '../../invitations/invitations.module.js';
import { RateLimitModule } from '../../platform/rate-limit/rate-limit.module.js';
import { SessionsModule } from '../sessions/sessions.module.js';
import { UsersModule } from '../../users/users.module.js';
import { GroupsModule } from '../../access/groups/groups.module.js';
import { ReportsModule } from '../../reports/reports.module.js';
import { WorkspacesModule } from '../../workspaces/workspaces.module.js';
import { ClaimsRefreshService } from './claims-refresh.service.js';
import { ExchangedToken } from './exchanged-token.entity.js';
import { ExchangedTokensService } from './exchanged-tokens.service.js';
import { IdentitiesController } from './identities.controller.js';
import { IdentitiesService } from './identities.service.js';
import { IdentityLinkingService } from './identity-linking.service.js';
import { IdentityProviderService } from './identity-provider.service.js';
import { IdpAccessService } from './idp-access.service.js';
import { LoginController } from './login.controller.js';
import { LoginService } from './login.service.js';
import { OidcProvisioningService } from './oidc-provisioning.service.js';
import { SealedCookiesService } from './sealed-cookies.service.js';
import { SignInRulesController } from './sign-in-rules.controller.js';
import { SignInRulesService } from './sign-in-rules.service.js';
import { SubjectTokensService } from './subject-tokens.service.js';
import { UserIdentity } from './user-identity.entity.js';

const shared = [
  ClaimsRefreshService,
  ExchangedTokensService,
  IdentitiesService,
  OidcProvisioningService,
  SealedCookiesService,
  SignInRulesService,
  SubjectTokensService,
];

@Module({
  imports: [
    AuditModule,
    InvitationsModule,
    RateLimitModule,
    SessionsModule,
    UsersModule,
    GroupsModule,
    ReportsModule,
    WorkspacesModule,
    TypeOrmModule.forFeature([UserIdentity, ExchangedToken]),
  ],
  controllers: [LoginController, IdentitiesController, SignInRulesController],
  providers: [
    ...shared,
    IdentityLinkingService,
    IdentityProviderService,
    IdpAccessService,
    LoginService,
    Sealer,
  ],
  exports: shared,
})
export class OidcModule {}
