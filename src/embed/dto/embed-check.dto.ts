import { IsId, OptionalField } from '../../core/validation/validators.js';

export class EmbedCheckQuery {
  /** The person who is to see it; left out, nobody in particular. */
  @OptionalField()
  @IsId()
  user_id?: string;
}

export const embedCheckNames = [
  'access',
  'revocation',
  'embed_url',
  'dataset',
  'identity',
  'power_bi',
  'service_principal',
  'report',
  'capacity',
  'embed_token',
] as const;

export type EmbedCheckName = (typeof embedCheckNames)[number];

export class EmbedCheckItemDto {
  name!: EmbedCheckName;
  /** Unknown: something before it failed, or Power BI does not tell. */
  status!: 'ok' | 'failed' | 'unknown';
  detail!: string;
}

export class EmbedCheckDto {
  report_id!: string;
  user_id!: string | null;
  /** Whether it embeds, as far as could be found out. */
  embeds!: boolean;
  checks!: EmbedCheckItemDto[];
}
