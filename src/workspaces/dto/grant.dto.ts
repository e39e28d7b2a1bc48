import type { Membership, WorkspaceRole } from '../membership.entity.js';
import type { Workspace } from '../workspace.entity.js';

export class GrantDto {
  workspace_id!: string;
  workspace_name!: string;
  role!: WorkspaceRole;
  source!: 'manual' | 'provider';
  /** When the grant expires; null if it does not expire. */
  expires_at!: Date | null;

  static from({ workspace, grant }: { workspace: Workspace; grant: Membership }): GrantDto {
    return {
      workspace_id: workspace.id,
      workspace_name: workspace.name,
      role: grant.role,
      source: grant.source,
      expires_at: grant.expiresAt,
    };
  }
}

export class GrantListDto {
  grants!: GrantDto[];
}
