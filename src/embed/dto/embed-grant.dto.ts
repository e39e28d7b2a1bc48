import { OmitType } from '#openapi';
import { Flag, ListQuery } from '../../core/lists/list-query.dto.js';
import { SortedBy, type SortKeys } from '../../core/lists/pagination.js';
import { IsId, OptionalField } from '../../core/validation/validators.js';
import type { IssuedEmbedToken } from '../issued-token.entity.js';
import type { EmbedAccess } from './embed-token.dto.js';

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

export const grantSortKeys: SortKeys<IssuedEmbedToken> = {
  issued_at: { sql: 'embedGrant.issuedAt', of: (grant) => grant.issuedAt.toISOString() },
};

export class ListGrantsQuery extends OmitType(ListQuery, ['q']) {
  @SortedBy(grantSortKeys)
  sort: string = '-issued_at';

  /** Returns only tokens issued to this person or service account. */
  @OptionalField()
  @IsId()
  user_id?: string;

  /** Returns only tokens for this report. */
  @OptionalField()
  @IsId()
  report_id?: string;

  /** Returns only tokens for reports of this workspace. */
  @OptionalField()
  @IsId()
  workspace_id?: string;

  /** `true` returns only tokens that have not expired, `false` only expired tokens. */
  @Flag()
  active?: boolean;
}
