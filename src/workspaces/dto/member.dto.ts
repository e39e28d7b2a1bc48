import { IsIn } from 'class-validator';
import { ListQuery } from '../../core/lists/list-query.dto.js';
import { SortedBy, type SortKeys } from '../../core/lists/pagination.js';
import { IsTime } from '../../core/validation/times.js';
import { OptionalField } from '../../core/validation/validators.js';
import type { User } from '../../users/user.entity.js';
import { addressOf } from '../../users/users.queries.js';
import { type GrantSource, type WorkspaceRole, workspaceRoles } from '../../access/grants/grant.js';
import type { Grant } from '../../access/grants/grant.entity.js';

export class MemberDto {
  user_id!: string;
  /** Null for a service account. */
  email!: string | null;
  name!: string;
  /** The strongest of the person's own grants in this workspace. */
  role!: WorkspaceRole;
  source!: GrantSource;
  /** When the grant expires; null if it does not expire. */
  expires_at!: Date | null;

  static from({
    user,
    grant,
  }: {
    user: User;
    grant: Pick<Grant, 'role' | 'source' | 'expiresAt'>;
  }): MemberDto {
    return {
      user_id: user.id,
      email: addressOf(user),
      name: user.name,
      role: grant.role,
      source: grant.source,
      expires_at: grant.expiresAt,
    };
  }
}

export class MemberListDto {
  members!: MemberDto[];
}

export const memberSortKeys: SortKeys<User> = {
  email: { sql: 'user.email', of: (user) => user.email },
};

export class ListMembersQuery extends ListQuery {
  @SortedBy(memberSortKeys)
  sort: string = 'email';
}

export class SetMemberDto {
  @IsIn(workspaceRoles)
  role!: WorkspaceRole;

  /**
   * When the grant expires: `YYYY-MM-DD` in `USAGE_TIME_ZONE` or RFC 3339 with a time zone. A day ends the grant at its end. A
   * grant from a manager expires no later than the manager's own grant. Omitted: the grant does not expire; an earlier expiry
   * is removed.
   */
  @OptionalField()
  @IsTime()
  expires_at?: string;
}
