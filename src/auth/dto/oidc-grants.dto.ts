import { Equals, IsIn, Length, Matches } from 'class-validator';
import { IsText } from '../../core/validation/validators.js';

export const TOKEN_EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange';

const subjectTokenTypes = [
  'urn:ietf:params:oauth:token-type:jwt',
  'urn:ietf:params:oauth:token-type:access_token',
  'urn:ietf:params:oauth:token-type:id_token',
] as const;

/** Exchanges the authorization code of the platform sign-in for tokens (PKCE). */
export class AuthorizationCodeGrant {
  @Equals('authorization_code')
  grant_type!: 'authorization_code';

  @IsText()
  @Length(1, 100)
  code!: string;

  /** The secret from which the `code_challenge` of `/login` was derived (RFC 7636). */
  @Matches(/^[A-Za-z0-9._~-]{43,128}$/, { message: '$property must be 43 to 128 unreserved characters' })
  code_verifier!: string;
}

/** For portal backends: exchanges a token of the trusted identity provider for tokens of this API (RFC 8693). */
export class TokenExchangeGrant {
  @Equals(TOKEN_EXCHANGE)
  grant_type!: typeof TOKEN_EXCHANGE;

  /** JWT that the identity provider issued for this service. */
  @IsText()
  @Length(1, 12_000)
  subject_token!: string;

  @IsIn(subjectTokenTypes)
  subject_token_type!: (typeof subjectTokenTypes)[number];
}
