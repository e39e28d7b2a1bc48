import type { EmbedAccess } from './embed-request.dto.js';

export class EmbedTokenDto {
  /** What the browser hands to Power BI's client as `accessToken`, with `tokenType: Embed`. */
  token!: string;
  /** Names the token in Power BI's own audit log. */
  token_id!: string;
  expires_at!: Date;
  /** Seconds from now until the token runs out. A browser with a wrong clock counts these. */
  expires_in!: number;
  /** Seconds from now after which to ask for the next token. */
  refresh_in!: number;
  embed_url!: string;
  report_id!: string;
  pbi_report_id!: string;
  access!: EmbedAccess;
}
