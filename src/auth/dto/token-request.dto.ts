import { Equals, IsIn, Length, Matches, MaxLength } from 'class-validator';
import { IsName, IsText, OptionalField } from '../../core/validation/validators.js';
import { IsEmailAddress } from '../../core/validation/email-address.js';
import { MAX_PASSWORD_INPUT } from '../../users/password-rules.js';

/** Signs in with email and password. This request has no `grant_type`. */
export class PasswordGrant {
  /** Email address of the account. */
  @IsEmailAddress()
  email!: string;

  @IsText()
  @Length(1, MAX_PASSWORD_INPUT)
  password!: string;
}

/** Renews an access token. The response contains a new refresh token; the one sent becomes invalid. */
export class RefreshTokenGrant {
  @Equals('refresh_token')
  grant_type!: 'refresh_token';

  @IsText()
  @Length(1, MAX_PASSWORD_INPUT)
  refresh_token!: string;
}

/** Accepts an invitation: creates the account and signs in. */
export class InvitationGrant {
  @Equals('invitation')
  grant_type!: 'invitation';

  /** The secret after `#token=` in the invitation link. */
  @IsText()
  @Length(1, MAX_PASSWORD_INPUT)
  invitation_token!: string;

  /** 15 to 128 characters. */
  @IsText()
  @MaxLength(MAX_PASSWORD_INPUT)
  password!: string;

  /** Replaces the name in the invitation. */
  @OptionalField()
  @IsName()
  name?: string;
}

/** Signs in as a service account. The response contains no refresh token: request a new access token the same way. */
export class ClientCredentialsGrant {
  @Equals('client_credentials')
  grant_type!: 'client_credentials';

  /** Id of the service account. */
  @IsText()
  @Length(1, 100)
  client_id!: string;

  @IsText()
  @Length(1, MAX_PASSWORD_INPUT)
  client_secret!: string;
}

/** Requests an email with a link to choose a new password. The response is the same whether or not the account exists. */
export class PasswordResetRequestGrant {
  @Equals('password_reset_request')
  grant_type!: 'password_reset_request';

  @IsEmailAddress()
  email!: string;
}

/** Sets a new password with the link from the email. Ends every session and does not sign in. */
export class PasswordResetGrant {
  @Equals('password_reset')
  grant_type!: 'password_reset';

  /** The secret after `#token=` in the link. */
  @IsText()
  @Length(1, MAX_PASSWORD_INPUT)
  reset_token!: string;

  /** 15 to 128 characters. */
  @IsText()
  @MaxLength(MAX_PASSWORD_INPUT)
  password!: string;
}

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
