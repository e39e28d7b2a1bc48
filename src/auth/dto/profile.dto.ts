import { UserDto } from '../../users/dto/user.dto.js';
import type { User } from '../../users/user.entity.js';
import type { Membership, WorkspaceRole } from '../../workspaces/membership.entity.js';

export class ProfileGrantDto {
  workspace_id!: string;
  role!: WorkspaceRole;
  source!: 'manual' | 'provider';
  /** When it ends by itself; null: it does not. */
  expires_at!: Date | null;
}

export class ProfileDto extends UserDto {
  grants!: ProfileGrantDto[];

  static of(user: User, grants: readonly Membership[]): ProfileDto {
    return {
      ...UserDto.from(user),
      grants: grants.map((grant) => ({
        workspace_id: grant.workspaceId,
        role: grant.role,
        source: grant.source,
        expires_at: grant.expiresAt,
      })),
    };
  }
}
