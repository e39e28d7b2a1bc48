import type { IssuedEmbedToken } from '../issued-token.entity.js';
import type { EmbedAccess } from './embed-request.dto.js';

export class EmbedIdentityDto {
  username!: string;
  roles!: string[];
}

/** An issued embed token, without the token itself. */
export class EmbedGrantDto {
  id!: string;
  /** Id of the token in the Power BI audit log. */
  token_id!: string;
  user_id!: string;
  report_id!: string;
  workspace_id!: string;
  access!: EmbedAccess;
  /** Effective identity of the user; null if the token has none. */
  identity!: EmbedIdentityDto | null;
  issued_at!: Date;
  expires_at!: Date;
  /** Number of times the token was returned to the user. */
  times_issued!: number;
  last_issued_at!: Date;
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
      times_issued: grant.timesIssued,
      last_issued_at: grant.lastIssuedAt,
      ip: grant.ip,
      request_id: grant.requestId,
    };
  }
}

export class EmbedGrantListDto {
  embed_grants!: EmbedGrantDto[];
}
