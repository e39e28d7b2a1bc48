import { Equals, IsOptional, Length, Matches } from 'class-validator';
import { IsText } from '../../../core/validation/validators.js';

export class LoginQuery {
  /** Redirect target, which receives `code` and `state`: one of OIDC_RETURN_URLS or a path below it. */
  @IsOptional()
  @IsText()
  @Length(1, 1000)
  return_to?: string;

  /** Base64url-encoded SHA-256 of the `code_verifier` that will be sent to exchange the code (RFC 7636). */
  @Matches(/^[A-Za-z0-9_-]{43}$/, { message: '$property must be a base64url-encoded SHA-256 hash' })
  code_challenge!: string;

  @IsOptional()
  @Equals('S256')
  code_challenge_method?: 'S256';

  /** Returned unchanged. */
  @IsOptional()
  @IsText()
  @Length(1, 500)
  state?: string;
}
