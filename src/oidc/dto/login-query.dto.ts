import { Equals, IsOptional, Length, Matches } from 'class-validator';
import { IsText } from '../../core/validation/validators.js';

export class LoginQuery {
  /** Where to come back to, with `code` and `state`: one of OIDC_RETURN_URLS or below it. */
  @IsOptional()
  @IsText()
  @Length(1, 1000)
  return_to?: string;

  /** Base64url of the SHA-256 of the `code_verifier` that the code will be exchanged with (RFC 7636). */
  @Matches(/^[A-Za-z0-9_-]{43}$/, { message: '$property must be the base64url of a SHA-256' })
  code_challenge!: string;

  @IsOptional()
  @Equals('S256')
  code_challenge_method?: 'S256';

  /** Comes back unchanged. */
  @IsOptional()
  @IsText()
  @Length(1, 500)
  state?: string;
}
