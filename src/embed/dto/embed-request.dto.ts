import { IsIn } from 'class-validator';
import { MayBeLeftOut } from '../../core/validation/validators.js';

export const embedAccess = ['view', 'edit'] as const;

export type EmbedAccess = (typeof embedAccess)[number];

export class EmbedRequestDto {
  /** Editing needs the role editor. */
  @MayBeLeftOut()
  @IsIn(embedAccess)
  access: EmbedAccess = 'view';
}
