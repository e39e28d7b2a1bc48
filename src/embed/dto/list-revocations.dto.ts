import { OmitType } from '#openapi';
import { IsIn } from 'class-validator';
import { ListQuery } from '../../core/lists/list-query.dto.js';
import { type SortKeys, sortNames } from '../../core/lists/pagination.js';
import { OptionalField } from '../../core/validation/validators.js';
import type { EmbedRevocation } from '../embed-revocation.entity.js';

export const revocationSortKeys: SortKeys<EmbedRevocation> = {
  revoked_at: { sql: 'revocation.revokedAt', of: (revocation) => revocation.revokedAt.toISOString() },
};

export class ListRevocationsQuery extends OmitType(ListQuery, ['q']) {
  /** Sort order. Prefix the field with `-` for descending order. */
  @OptionalField()
  @IsIn(sortNames(revocationSortKeys))
  sort: string = '-revoked_at';
}
