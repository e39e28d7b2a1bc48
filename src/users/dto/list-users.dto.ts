import { IsIn } from 'class-validator';
import { CountedListQuery } from '../../core/lists/list-query.dto.js';
import { type SortKeys, sortNames } from '../../core/lists/pagination.js';
import type { PlatformRole } from '../../core/http/principal.js';
import type { User, UserKind, UserStatus } from '../user.entity.js';
import { OptionalField } from '../../core/validation/validators.js';

export const userSortKeys: SortKeys<User> = {
  email: { sql: 'user.email', of: (user) => user.email },
  created_at: { sql: 'user.createdAt', of: (user) => user.createdAt.toISOString() },
};

export class ListUsersQuery extends CountedListQuery {
  /** Sort order; a leading `-` reverses it. */
  @OptionalField()
  @IsIn(sortNames(userSortKeys))
  sort: string = 'email';

  /** Filters by status. */
  @OptionalField()
  @IsIn(['active', 'disabled'])
  status?: UserStatus;

  /** Filters by platform role. */
  @OptionalField()
  @IsIn(['admin', 'member'])
  role?: PlatformRole;

  /** `person` lists people, `service` lists service accounts. */
  @OptionalField()
  @IsIn(['person', 'service'])
  kind: UserKind = 'person';
}
