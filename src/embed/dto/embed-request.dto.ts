import { IsIn } from 'class-validator';
import { OptionalField } from '../../core/validation/validators.js';

export const embedAccess = ['view', 'edit'] as const;

export type EmbedAccess = (typeof embedAccess)[number];

export class EmbedRequestDto {
  /** Editing needs the role editor. */
  @OptionalField()
  @IsIn(embedAccess)
  access: EmbedAccess = 'view';
}
