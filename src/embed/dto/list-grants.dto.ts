import { OmitType } from '#openapi';
import { Transform } from 'class-transformer';
import { IsBoolean, IsIn } from 'class-validator';
import { flag, ListQuery } from '../../core/lists/list-query.dto.js';
import { type SortKeys, sortNames } from '../../core/lists/pagination.js';
import { IsId, OptionalField } from '../../core/validation/validators.js';
import type { IssuedEmbedToken } from '../issued-token.entity.js';

export const grantSortKeys: SortKeys<IssuedEmbedToken> = {
  issued_at: { sql: 'embedGrant.issuedAt', of: (grant) => grant.issuedAt.toISOString() },
};

export class ListGrantsQuery extends OmitType(ListQuery, ['q']) {
  /** Sort order. Prefix the field with `-` for descending order. */
  @OptionalField()
  @IsIn(sortNames(grantSortKeys))
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
  @OptionalField()
  @Transform(flag)
  @IsBoolean({ message: 'active must be true or false' })
  active?: boolean;
}
