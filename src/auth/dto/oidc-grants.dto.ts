import { Equals, IsIn, Length, Matches } from 'class-validator';
import { IsText } from '../../core/validation/validators.js';

export const TOKEN_EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange';

const subjectTokenTypes = [
  'urn:ietf:params:oauth:token-type:jwt',
  'urn:ietf:params:oauth:token-type:access_token',
  'urn:ietf:params:oauth:token-type:id_token',
] as const;

/** After the platform login: the code that the browser brought back, and the proof that it is yours. */
export class AuthorizationCodeGrant {
  @Equals('authorization_code')
  grant_type!: 'authorization_code';

  @IsText()
  @Length(1, 100)
  code!: string;

  /** What the `code_challenge` of `/login` was made of (RFC 7636). */
  @Matches(/^[A-Za-z0-9._~-]{43,128}$/, { message: '$property must be 43 to 128 unreserved characters' })
  code_verifier!: string;
}

/** For a portal backend that holds its user's token of the trusted provider (RFC 8693). */
export class TokenExchangeGrant {
  @Equals(TOKEN_EXCHANGE)
  grant_type!: typeof TOKEN_EXCHANGE;

  /** A JWT that the provider made for this service. */
  @IsText()
  @Length(1, 12_000)
  subject_token!: string;

  @IsIn(subjectTokenTypes)
  subject_token_type!: (typeof subjectTokenTypes)[number];
}
