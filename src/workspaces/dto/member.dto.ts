import type { User } from '../../users/user.entity.js';
import { addressOf } from '../../users/users.queries.js';
import type { GrantSource, WorkspaceRole } from '../../access/grants/roles.js';
import type { Grant } from '../../access/grants/grant.entity.js';

export class MemberDto {
  user_id!: string;
  /** Null for a service account. */
  email!: string | null;
  name!: string;
  /** Effective role: the strongest of the member's grants in this workspace. */
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
