import { IsBoolean } from 'class-validator';
import { CountedListQuery } from '../../core/lists/list-query.dto.js';
import { SortedBy, type SortKeys } from '../../core/lists/pagination.js';
import { IsContactUrl } from '../../core/validation/contact-url.js';
import { Nullable, OptionalField } from '../../core/validation/validators.js';
import type { VisibleWorkspace } from '../workspaces.queries.js';

export class WorkspaceDto {
  id!: string;
  /** Display name. */
  name!: string;
  /** Id of the workspace in Power BI. */
  pbi_workspace_id!: string;
  /** Number of its reports that the caller may see. */
  report_count!: number;

  static from(workspace: VisibleWorkspace): WorkspaceDto {
    return {
      id: workspace.id,
      name: workspace.name,
      pbi_workspace_id: workspace.pbiWorkspaceId,
      report_count: workspace.reportCount,
    };
  }
}

/** What the managers of a workspace decide. */
export class WorkspaceSettingsDto {
  /** Whether viewers may export the reports of the workspace; editors and managers always may. */
  viewers_can_export!: boolean;
  /** Who answers questions about the reports: `https:` or `mailto:`. */
  contact_url!: string | null;

  static from({ viewersCanExport, contactUrl }: VisibleWorkspace): WorkspaceSettingsDto {
    return { viewers_can_export: viewersCanExport, contact_url: contactUrl };
  }
}

export class WorkspaceListDto {
  workspaces!: WorkspaceDto[];
}

export const workspaceSortKeys: SortKeys<VisibleWorkspace> = {
  name: { sql: 'name_key', of: (workspace) => workspace.nameKey },
};

export class ListWorkspacesQuery extends CountedListQuery {
  @SortedBy(workspaceSortKeys)
  sort: string = 'name';
}

export class ChangeWorkspaceSettingsDto {
  /** Whether viewers may export the reports of the workspace. */
  @OptionalField()
  @IsBoolean()
  viewers_can_export?: boolean;

  /** Who answers questions about the reports: `https:`, or `mailto:` with one address. Null removes it. */
  @OptionalField()
  @Nullable()
  @IsContactUrl()
  contact_url?: string | null;
}
