import { Controller, Get, Query } from '@nestjs/common';
import { PathId } from '../core/validation/path-id.js';
import { AdminOnly, Caller } from '../core/http/access.js';
import type { Principal } from '../core/http/principal.js';
import { Links, PageLinks } from '../core/lists/pagination.js';
import { UsersService } from '../users/users.service.js';
import { ListWorkspacesQuery, WorkspaceDto, WorkspaceListDto } from '../workspaces/dto/workspace.dto.js';
import { WorkspacesService } from '../workspaces/workspaces.service.js';
import { ListReportsQuery, ReportDto, ReportListDto } from './dto/report.dto.js';
import { ReportsService } from './reports.service.js';

/** What another user sees. An admin reads names only: data inside a report depends on the identity of the person who opens it. */
@Controller('api/users/:id')
@AdminOnly()
export class VisibleToUserController {
  constructor(
    private readonly users: UsersService,
    private readonly workspaces: WorkspacesService,
    private readonly reports: ReportsService,
  ) {}

  /** Lists the workspaces that a person or service account may see. A disabled one sees none. */
  @Get('workspaces')
  async listWorkspaces(
    @Caller() caller: Principal,
    @PathId() id: string,
    @Query() query: ListWorkspacesQuery,
    @Links() links: PageLinks,
  ): Promise<WorkspaceListDto> {
    const viewer = await this.viewer(caller, id);
    if (viewer === undefined) return { workspaces: [] };
    return { workspaces: links.from(await this.workspaces.list(viewer, query)).map(WorkspaceDto.from) };
  }

  /** Lists the reports that a person or service account may see. A disabled one sees none. */
  @Get('reports')
  async listReports(
    @Caller() caller: Principal,
    @PathId() id: string,
    @Query() query: ListReportsQuery,
    @Links() links: PageLinks,
  ): Promise<ReportListDto> {
    const viewer = await this.viewer(caller, id);
    if (viewer === undefined) return { reports: [] };
    return { reports: links.from(await this.reports.list(viewer, query)).map(ReportDto.from) };
  }

  /** Undefined for a disabled user. Throws UserNotFound. */
  private async viewer({ sessionId }: Principal, userId: string): Promise<Principal | undefined> {
    const { id, email, role, status } = await this.users.get(userId);
    return status === 'active' ? { id, email, role, sessionId } : undefined;
  }
}
