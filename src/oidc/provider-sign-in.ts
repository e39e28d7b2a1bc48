import { Sealer } from '../core/crypto/sealer.js';
import { Admission } from './oidc-provisioning.service.js';
import { ExchangedToken } from './exchanged-token.entity.js';
import { ExchangedTokens } from './exchanged-tokens.service.js';
import { IdentitiesController } from './identities.controller.js';
import { Identities } from './identities.service.js';
import { IdentityProvider } from './identity-provider.service.js';
import { Linking } from './identity-linking.service.js';
import { ProvidedAccess } from './idp-access.service.js';
import { Reevaluation } from './claims-refresh.service.js';
import { SubjectTokens } from './subject-tokens.service.js';
import { UserIdentity } from './user-identity.entity.js';
import { LoginAttempts } from './authorization-requests.service.js';
import { LoginCode } from './login-code.entity.js';
import { LoginCodes } from './login-codes.service.js';
import { LoginController } from './login.controller.js';
import { LoginService } from './login.service.js';
import { OwnPortal } from './first-party-portal.service.js';
import { PortalInvitations } from './portal-invitations.service.js';
import { PortalSessionController } from '../auth/portal-session/portal-session.controller.js';
import { PortalSessions } from '../auth/portal-session/portal-session.service.js';

/** The parts of the auth module that are about signing in through a provider and about the portal's session. */
export const providerSignIn = {
  controllers: [LoginController, PortalSessionController, IdentitiesController],
  entities: [UserIdentity, LoginCode, ExchangedToken],
  providers: [
    Admission,
    ExchangedTokens,
    Identities,
    IdentityProvider,
    Linking,
    LoginAttempts,
    LoginCodes,
    LoginService,
    OwnPortal,
    PortalInvitations,
    PortalSessions,
    ProvidedAccess,
    Reevaluation,
    Sealer,
    SubjectTokens,
  ],
};
