import { ClientCredentialsGrantHandler } from './client-credentials.grant.js';
import { AuthorizationCodeGrantHandler } from './authorization-code.grant.js';
import type { GrantType } from './grant.js';
import { InvitationGrantHandler } from './invitation.grant.js';
import { PasswordResetGrantHandler, PasswordResetRequestGrantHandler } from './password-reset.grant.js';
import { PasswordGrantHandler } from './password.grant.js';
import { RefreshTokenGrantHandler } from './refresh-token.grant.js';
import { TokenExchangeGrantHandler } from './token-exchange.grant.js';

export const grantTypes: readonly GrantType[] = [
  PasswordGrantHandler,
  RefreshTokenGrantHandler,
  InvitationGrantHandler,
  ClientCredentialsGrantHandler,
  PasswordResetRequestGrantHandler,
  PasswordResetGrantHandler,
  AuthorizationCodeGrantHandler,
  TokenExchangeGrantHandler,
];
