import { Length, MaxLength } from 'class-validator';
import { IsText } from '../../../core/validation/validators.js';
import { MAX_PASSWORD_INPUT } from '../../../users/password-rules.js';

export class ChangePasswordDto {
  @IsText()
  @Length(1, MAX_PASSWORD_INPUT)
  current_password!: string;

  /** 15 to 128 characters; common passwords are rejected. */
  @IsText()
  @MaxLength(MAX_PASSWORD_INPUT)
  new_password!: string;
}
