import { IsIn, IsOptional } from 'class-validator';

export const embedAccess = ['view', 'edit'] as const;

export type EmbedAccess = (typeof embedAccess)[number];

export class EmbedRequestDto {
  /** Editing needs the role editor. */
  @IsOptional()
  @IsIn(embedAccess)
  access: EmbedAccess = 'view';
}
