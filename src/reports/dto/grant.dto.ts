import { IsIn } from 'class-validator';
import { ListQuery } from '../../core/lists/list-query.dto.js';
import { SortedBy, type SortKeys } from '../../core/lists/pagination.js';
import { OptionalField } from '../../core/validation/validators.js';
import { type GrantSource, type WorkspaceRole, workspaceRoles } from '../../access/grants/grant.js';
import type { HeldGrant } from '../held-grants.queries.js';
import type { ListedGrant } from '../held-grants.service.js';

export const heldGrantSortKeys: SortKeys<HeldGrant> = {
  name: { sql: '"workspaceKey"', of: ({ workspaceKey }) => workspaceKey },
};

export class ListHeldGrantsQuery extends ListQuery {
  @SortedBy(heldGrantSortKeys)
  sort: string = 'name';

  /** Returns only grants on workspaces and reports whose name, or that of their workspace, contains this text. */
  @OptionalField()
  override q?: string;

  /** Only grants with this role. */
  @OptionalField()
  @IsIn(workspaceRoles)
  role?: WorkspaceRole;
}

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

  static from(grant: ListedGrant): GrantDto {
    return {
      workspace_id: grant.workspaceId,
      workspace_name: grant.workspaceName,
      report_id: grant.reportId,
      report_name: grant.reportName,
      role: grant.role,
      source: grant.source,
      expires_at: grant.expiresAt,
      path: grant.path,
    };
  }
}

export class GrantListDto {
  grants!: GrantDto[];
}
