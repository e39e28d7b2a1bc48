import type { GrantSource, WorkspaceRole } from '../../grants/roles.js';
import type { StoredGrant } from '../../grants/grant.js';
import type { Workspace } from '../workspace.entity.js';

export class GrantDto {
  workspace_id!: string;
  workspace_name!: string;
  role!: WorkspaceRole;
  source!: GrantSource;
  /** When the grant expires; null if it does not expire. */
  expires_at!: Date | null;

  static from({ workspace, grant }: { workspace: Workspace; grant: StoredGrant }): GrantDto {
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
