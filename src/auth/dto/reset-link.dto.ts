import { Length } from 'class-validator';
import { IsText } from '../../core/validation/validators.js';
import { MAX_PASSWORD_INPUT } from '../../users/password-rules.js';
import type { User } from '../../users/user.entity.js';

export class PreviewResetLinkDto {
  /** The secret after `#token=` in the link. */
  @IsText()
  @Length(1, MAX_PASSWORD_INPUT)
  token!: string;
}

export class ResetLinkPreviewDto {
  /** Email address of the account whose password the link changes. */
  email!: string;

  static from({ email }: User): ResetLinkPreviewDto {
    return { email };
  }
}
