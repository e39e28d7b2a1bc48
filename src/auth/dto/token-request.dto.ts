import { Equals, Length, MaxLength } from 'class-validator';
import { IsName, IsText, OptionalField } from '../../core/validation/validators.js';
import { IsEmailAddress } from '../../core/validation/email-address.js';
import { MAX_PASSWORD_INPUT } from '../../users/password-rules.js';

/** Signing in with e-mail and password, as the interface was ordered: no grant type. */
export class PasswordGrant {
  /** E-mail address of the account. */
  @IsEmailAddress()
  email!: string;

  @IsText()
  @Length(1, MAX_PASSWORD_INPUT)
  password!: string;
}

/** Renewing an access token. The answer holds the next refresh token: this one is used up. */
export class RefreshTokenGrant {
  @Equals('refresh_token')
  grant_type!: 'refresh_token';

  @IsText()
  @Length(1, MAX_PASSWORD_INPUT)
  refresh_token!: string;
}

/** Accepting an invitation: makes the account and signs in. */
export class InvitationGrant {
  @Equals('invitation')
  grant_type!: 'invitation';

  /** The secret behind `#token=` in the link of the invitation. */
  @IsText()
  @Length(1, MAX_PASSWORD_INPUT)
  invitation_token!: string;

  /** 15 to 128 characters. */
  @IsText()
  @MaxLength(MAX_PASSWORD_INPUT)
  password!: string;

  /** Instead of the name that the invitation came with. */
  @OptionalField()
  @IsName()
  name?: string;
}

/** Signing in as a service account. The answer holds no refresh token: ask again. */
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

/** Asking for a mail with a link to choose a new password. The answer is the same whether there is an account or not. */
export class PasswordResetRequestGrant {
  @Equals('password_reset_request')
  grant_type!: 'password_reset_request';

  @IsEmailAddress()
  email!: string;
}

/** Choosing a new password by the link of that mail. Ends every session and signs nobody in. */
export class PasswordResetGrant {
  @Equals('password_reset')
  grant_type!: 'password_reset';

  /** The secret behind `#token=` in the link. */
  @IsText()
  @Length(1, MAX_PASSWORD_INPUT)
  reset_token!: string;

  /** 15 to 128 characters. */
  @IsText()
  @MaxLength(MAX_PASSWORD_INPUT)
  password!: string;
}
