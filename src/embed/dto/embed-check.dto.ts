import { IsId, OptionalField } from '../../core/validation/validators.js';

export class EmbedCheckQuery {
  /** User who is to view the report. If omitted, the check is not specific to a user. */
  @OptionalField()
  @IsId()
  user_id?: string;
}

export type EmbedCheckName =
  | 'access'
  | 'revocation'
  | 'embed_url'
  | 'dataset'
  | 'identity'
  | 'power_bi'
  | 'service_principal'
  | 'report'
  | 'capacity'
  | 'embed_token';

export class EmbedCheckItemDto {
  name!: EmbedCheckName;
  /** `unknown` if an earlier check failed or Power BI does not report it. */
  status!: 'ok' | 'failed' | 'unknown';
  detail!: string;
}

export class EmbedCheckDto {
  report_id!: string;
  user_id!: string | null;
  /** Whether the report can be embedded, as far as the checks can determine it. */
  embeds!: boolean;
  checks!: EmbedCheckItemDto[];
}
