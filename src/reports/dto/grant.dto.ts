import type { GrantSource, WorkspaceRole } from '../../grants/roles.js';
import type { HeldGrant } from '../held-grants.service.js';

export class GrantDto {
  workspace_id!: string;
  workspace_name!: string;
  /** The report, if the grant is on this report only. */
  report_id!: string | null;
  report_name!: string | null;
  role!: WorkspaceRole;
  source!: GrantSource;
  /** When the grant expires; null if it does not expire. */
  expires_at!: Date | null;
  /**
   * Names of the groups from the one that holds the grant to the one that contains the person; empty for a grant of their
   * own.
   */
  path!: string[];

  static from({ workspace, report, grant, path }: HeldGrant): GrantDto {
    return {
      workspace_id: workspace.id,
      workspace_name: workspace.name,
      report_id: report?.id ?? null,
      report_name: report?.name ?? null,
      role: grant.role,
      source: grant.source,
      expires_at: grant.expiresAt,
      path: path.map(({ name }) => name),
    };
  }
}

export class GrantListDto {
  grants!: GrantDto[];
}
