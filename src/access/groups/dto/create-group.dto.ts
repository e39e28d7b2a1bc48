import { MaxLength } from 'class-validator';
import { IsName, IsReadableText, Nullable, OptionalField } from '../../../core/validation/validators.js';

const MAX_DESCRIPTION = 1000;

export class CreateGroupDto {
  /** Unique, ignoring case. Spaces around it are removed. */
  @IsName()
  name!: string;

  /** One line; null for none. */
  @OptionalField()
  @Nullable()
  @IsReadableText()
  @MaxLength(MAX_DESCRIPTION)
  description?: string | null;
}

/** Omitted properties stay unchanged. */
export class UpdateGroupDto {
  /** Unique, ignoring case. Spaces around it are removed. */
  @OptionalField()
  @IsName()
  name?: string;

  /** One line; null removes it. */
  @OptionalField()
  @Nullable()
  @IsReadableText()
  @MaxLength(MAX_DESCRIPTION)
  description?: string | null;
}
