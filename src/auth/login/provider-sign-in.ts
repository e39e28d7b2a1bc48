import { Sealer } from '../../common/sealer.js';
import { Admission } from '../provider/admission.service.js';
import { ExchangedToken } from '../provider/exchanged-token.entity.js';
import { ExchangedTokens } from '../provider/exchanged-tokens.service.js';
import { IdentitiesController } from '../provider/identities.controller.js';
import { Identities } from '../provider/identities.service.js';
import { IdentityProvider } from '../provider/identity-provider.service.js';
import { Linking } from '../provider/linking.service.js';
import { ProvidedAccess } from '../provider/provided-access.service.js';
import { Reevaluation } from '../provider/reevaluation.service.js';
import { SubjectTokens } from '../provider/subject-tokens.service.js';
import { UserIdentity } from '../provider/user-identity.entity.js';
import { LoginAttempts } from './login-attempts.service.js';
import { LoginCode } from './login-code.entity.js';
import { LoginCodes } from './login-codes.service.js';
import { LoginController } from './login.controller.js';
import { LoginService } from './login.service.js';
import { OwnPortal } from './own-portal.service.js';
import { PortalInvitations } from './portal-invitations.service.js';
import { PortalSessionController } from './portal-session.controller.js';
import { PortalSessions } from './portal-session.service.js';

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
