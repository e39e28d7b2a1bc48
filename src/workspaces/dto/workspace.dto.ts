import type { VisibleWorkspace } from '../workspaces.queries.js';

export class WorkspaceDto {
  id!: string;
  /** Display name. */
  name!: string;
  /** Id of the workspace in Power BI. */
  pbi_workspace_id!: string;
  /** Number of reports in the workspace. */
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

export class WorkspaceListDto {
  workspaces!: WorkspaceDto[];
}
