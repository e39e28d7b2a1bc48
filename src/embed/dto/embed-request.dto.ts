import { IsIn } from 'class-validator';
import { OptionalField } from '../../core/validation/validators.js';

export const embedAccess = ['view', 'edit'] as const;

export type EmbedAccess = (typeof embedAccess)[number];

export class EmbedRequestDto {
  /** Requested access. `edit` requires the role editor in the workspace. */
  @OptionalField()
  @IsIn(embedAccess)
  access: EmbedAccess = 'view';
}
