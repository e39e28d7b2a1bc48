import { Sealer } from '../core/crypto/sealer.js';
import { OidcProvisioningService } from './oidc-provisioning.service.js';
import { ExchangedToken } from './exchanged-token.entity.js';
import { ExchangedTokensService } from './exchanged-tokens.service.js';
import { IdentitiesController } from './identities.controller.js';
import { IdentitiesService } from './identities.service.js';
import { IdentityProviderService } from './identity-provider.service.js';
import { IdentityLinkingService } from './identity-linking.service.js';
import { IdpAccessService } from './idp-access.service.js';
import { ClaimsRefreshService } from './claims-refresh.service.js';
import { SubjectTokensService } from './subject-tokens.service.js';
import { UserIdentity } from './user-identity.entity.js';
import { AuthorizationRequestsService } from './authorization-requests.service.js';
import { LoginCode } from './login-code.entity.js';
import { LoginCodesService } from './login-codes.service.js';
import { LoginController } from './login.controller.js';
import { LoginService } from './login.service.js';
import { FirstPartyPortalService } from './first-party-portal.service.js';
import { PortalInvitationsService } from './portal-invitations.service.js';
import { PortalSessionController } from '../auth/portal-session/portal-session.controller.js';
import { PortalSessionService } from '../auth/portal-session/portal-session.service.js';

/** The parts of the auth module that are about signing in through a provider and about the portal's session. */
export const providerSignIn = {
  controllers: [LoginController, PortalSessionController, IdentitiesController],
  entities: [UserIdentity, LoginCode, ExchangedToken],
  providers: [
    OidcProvisioningService,
    ExchangedTokensService,
    IdentitiesService,
    IdentityProviderService,
    IdentityLinkingService,
    AuthorizationRequestsService,
    LoginCodesService,
    LoginService,
    FirstPartyPortalService,
    PortalInvitationsService,
    PortalSessionService,
    IdpAccessService,
    ClaimsRefreshService,
    Sealer,
    SubjectTokensService,
  ],
};
