import { Length } from 'class-validator';
import { IsText } from '../../core/validation/validators.js';
import type { TokenResponseDto } from '../dto/token-response.dto.js';

/** A token response without the refresh token, which is in an HttpOnly cookie. */
export type PortalTokenDto = Pick<TokenResponseDto, 'access_token' | 'expires_in' | 'token_type'>;

export class StoreInvitationDto {
  /** The secret after `#token=` in the invitation link. */
  @IsText()
  @Length(1, 512)
  invitation_token!: string;
}
