import { OmitType } from '#openapi';
import { Transform } from 'class-transformer';
import { IsBoolean, IsIn } from 'class-validator';
import { flag, ListQuery } from '../../../core/lists/list-query.dto.js';
import { type SortKeys, sortNames } from '../../../core/lists/pagination.js';
import { OptionalField } from '../../../core/validation/validators.js';
import type { AccessRequestStatus, ListedAccessRequest } from '../access-requests.queries.js';

export const accessRequestSortKeys: SortKeys<ListedAccessRequest> = {
  created_at: { sql: 'created_at', of: (request) => request.createdAt.toISOString() },
};

export class ListAccessRequestsQuery extends OmitType(ListQuery, ['q']) {
  /** Sort order. Prefix the field with `-` for descending order. */
  @OptionalField()
  @IsIn(sortNames(accessRequestSortKeys))
  sort: string = '-created_at';

  /** Returns only requests with this status. */
  @OptionalField()
  @IsIn(['pending', 'approved', 'declined'])
  status?: AccessRequestStatus;

  /** Lists your own requests instead of those that you can decide. */
  @OptionalField()
  @Transform(flag)
  @IsBoolean({ message: 'mine must be true or false' })
  mine: boolean = false;
}
