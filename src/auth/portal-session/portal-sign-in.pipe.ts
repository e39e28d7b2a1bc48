import { Injectable } from '@nestjs/common';
import { UnsupportedGrantType } from '../auth.errors.js';
import type { GrantType } from '../grant-types/grant.js';
import { AuthorizationCodeGrantHandler, InvitationGrantHandler } from '../grant-types/grant-types.js';
import { PasswordGrantHandler } from '../grant-types/password.grant.js';
import { TokenRequestPipe } from '../token-request.pipe.js';
import type { TokenRequest } from '../token.service.js';

const interactiveGrantTypes: readonly GrantType[] = [
  PasswordGrantHandler,
  AuthorizationCodeGrantHandler,
  InvitationGrantHandler,
];

/** Accepts only the grant types that open a session in the browser. */
@Injectable()
export class PortalSignInPipe extends TokenRequestPipe {
  override async transform(body: unknown): Promise<TokenRequest> {
    const request = await super.transform(body);
    if (interactiveGrantTypes.includes(request.type)) return request;
    throw new UnsupportedGrantType(interactiveGrantTypes.flatMap(({ grantType }) => grantType ?? []));
  }
}
