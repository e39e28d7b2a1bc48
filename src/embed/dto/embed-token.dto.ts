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

export class EmbedTokenDto {
  /** Token to pass to the Power BI client as `accessToken`, with `tokenType: Embed`. */
  token!: string;
  /** Id of the token in the Power BI audit log. */
  token_id!: string;
  expires_at!: Date;
  /** Seconds until the token expires. Independent of the client's clock. */
  expires_in!: number;
  /** Seconds after which to request the next token. */
  refresh_in!: number;
  embed_url!: string;
  report_id!: string;
  pbi_report_id!: string;
  access!: EmbedAccess;
}
