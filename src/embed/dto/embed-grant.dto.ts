import type { IssuedEmbedToken } from '../issued-token.entity.js';
import type { EmbedAccess } from './embed-request.dto.js';

export class EmbedIdentityDto {
  username!: string;
  roles!: string[];
}

/** An embed token that was issued; never the token itself. */
export class EmbedGrantDto {
  id!: string;
  /** Names the token in Power BI's own audit log. */
  token_id!: string;
  user_id!: string;
  report_id!: string;
  workspace_id!: string;
  access!: EmbedAccess;
  /** Who the person is inside the data; null where the data does not ask. */
  identity!: EmbedIdentityDto | null;
  issued_at!: Date;
  expires_at!: Date;
  /** How often it was given to that person. */
  handed_out!: number;
  last_handed_out_at!: Date;
  ip!: string | null;
  request_id!: string | null;

  static from(grant: IssuedEmbedToken): EmbedGrantDto {
    return {
      id: grant.id,
      token_id: grant.tokenId,
      user_id: grant.userId,
      report_id: grant.reportId,
      workspace_id: grant.workspaceId,
      access: grant.access,
      identity: grant.identity,
      issued_at: grant.issuedAt,
      expires_at: grant.expiresAt,
      handed_out: grant.handedOut,
      last_handed_out_at: grant.lastHandedOutAt,
      ip: grant.ip,
      request_id: grant.requestId,
    };
  }
}

export class EmbedGrantListDto {
  embed_grants!: EmbedGrantDto[];
}
