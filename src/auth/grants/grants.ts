import { ClientCredentialsGrantHandler } from './client-credentials.grant.js';
import type { GrantType } from './grant.js';
import { InvitationGrantHandler } from './invitation.grant.js';
import { PasswordGrantHandler } from './password.grant.js';
import { RefreshTokenGrantHandler } from './refresh-token.grant.js';

/** Every grant there is. */
export const grantTypes: readonly GrantType[] = [
  PasswordGrantHandler,
  RefreshTokenGrantHandler,
  InvitationGrantHandler,
  ClientCredentialsGrantHandler,
];
