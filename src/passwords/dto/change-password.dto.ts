import { Length, MaxLength } from 'class-validator';
import { IsText } from '../../core/validation/validators.js';
import { MAX_PASSWORD } from '../../auth/dto/token-request.dto.js';

export class ChangePasswordDto {
  @IsText()
  @Length(1, MAX_PASSWORD)
  current_password!: string;

  /** 15 to 128 characters, and none of the common ones. */
  @IsText()
  @MaxLength(MAX_PASSWORD)
  new_password!: string;
}
