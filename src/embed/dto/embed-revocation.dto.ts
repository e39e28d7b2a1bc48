import { OmitType } from '#openapi';
import { Length } from 'class-validator';
import { ListQuery } from '../../core/lists/list-query.dto.js';
import { SortedBy, type SortKeys } from '../../core/lists/pagination.js';
import { IsId, IsReadableText, OptionalField } from '../../core/validation/validators.js';
import type { EmbedRevocation } from '../embed-revocation.entity.js';

export class RevokeEmbeddingDto {
  @OptionalField()
  @IsId()
  user_id?: string;

  @OptionalField()
  @IsId()
  report_id?: string;

  @OptionalField()
  @IsId()
  workspace_id?: string;

  /** Shown in the list of active blocks. */
  @OptionalField()
  @IsReadableText()
  @Length(1, 500)
  reason?: string;
}

export class EmbedRevocationDto {
  id!: string;
  user_id!: string | null;
  report_id!: string | null;
  workspace_id!: string | null;
  reason!: string | null;
  revoked_by!: string;
  revoked_at!: Date;

  static from(revocation: EmbedRevocation): EmbedRevocationDto {
    return {
      id: revocation.id,
      user_id: revocation.userId,
      report_id: revocation.reportId,
      workspace_id: revocation.workspaceId,
      reason: revocation.reason,
      revoked_by: revocation.revokedBy,
      revoked_at: revocation.revokedAt,
    };
  }
}

export class NewEmbedRevocationDto extends EmbedRevocationDto {
  /** Number of issued tokens that remain valid until they expire, because they cannot be revoked. */
  active_tokens!: number;
  /** When the last of these tokens expires; null if there are none. */
  ended_at_latest!: Date | null;
}

export class EmbedRevocationListDto {
  embed_revocations!: EmbedRevocationDto[];
}

export const revocationSortKeys: SortKeys<EmbedRevocation> = {
  revoked_at: { sql: 'revocation.revokedAt', of: (revocation) => revocation.revokedAt.toISOString() },
};

export class ListRevocationsQuery extends OmitType(ListQuery, ['q']) {
  @SortedBy(revocationSortKeys)
  sort: string = '-revoked_at';
}
