import { OmitType } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsBoolean, IsIn } from 'class-validator';
import { ListQuery } from '../../core/lists/list-query.dto.js';
import { type SortKeys, sortNames } from '../../core/lists/pagination.js';
import { IsId, OptionalField } from '../../core/validation/validators.js';
import type { IssuedEmbedToken } from '../issued-token.entity.js';

export const grantSortKeys: SortKeys<IssuedEmbedToken> = {
  issued_at: { sql: 'embedGrant.issuedAt', of: (grant) => grant.issuedAt.toISOString() },
};

const flag = ({ value }: { value: unknown }): unknown =>
  value === 'true' ? true : value === 'false' ? false : value;

export class ListGrantsQuery extends OmitType(ListQuery, ['q']) {
  /** Order of the list; a leading `-` turns it round. */
  @OptionalField()
  @IsIn(sortNames(grantSortKeys))
  sort: string = '-issued_at';

  /** Only what was issued to this person. */
  @OptionalField()
  @IsId()
  user_id?: string;

  /** Only what opens this report. */
  @OptionalField()
  @IsId()
  report_id?: string;

  /** Only what opens reports of this workspace. */
  @OptionalField()
  @IsId()
  workspace_id?: string;

  /** Only those that still open something, or only those that do not. */
  @OptionalField()
  @Transform(flag)
  @IsBoolean({ message: 'active must be true or false' })
  active?: boolean;
}
