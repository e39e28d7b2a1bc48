import { Controller, Get, Query } from '@nestjs/common';
import { PathId } from '../core/validation/path-id.js';
import { Caller } from '../core/http/access.js';
import { Links, PageLinks } from '../core/lists/pagination.js';
import type { Principal } from '../core/http/principal.js';
import { ListReportsQuery, ReportDto, ReportListDto } from './dto/report.dto.js';
import { ListViewersQuery, ViewerDto, ViewerListDto } from './dto/viewer.dto.js';
import { ReportsService } from './reports.service.js';
import { ViewersService } from './viewers.service.js';

@Controller('api/reports')
export class ReportsController {
  constructor(
    private readonly reports: ReportsService,
    private readonly viewers: ViewersService,
  ) {}

  /** Lists the reports of the workspaces that the caller may see. */
  @Get()
  async list(
    @Caller() caller: Principal,
    @Query() query: ListReportsQuery,
    @Links() links: PageLinks,
  ): Promise<ReportListDto> {
    return { reports: links.from(await this.reports.list(caller, query)).map(ReportDto.from) };
  }

  /** Gets a report. */
  @Get(':id')
  async get(@Caller() caller: Principal, @PathId() id: string): Promise<ReportDto> {
    return ReportDto.from(await this.reports.get(caller, id));
  }

  /**
   * Lists everyone who can see the report now, with the strongest role and the groups that lead to it. Requires the role
   * manager in the report's workspace.
   */
  @Get(':id/viewers')
  async listViewers(
    @Caller() caller: Principal,
    @PathId() id: string,
    @Query() query: ListViewersQuery,
    @Links() links: PageLinks,
  ): Promise<ViewerListDto> {
    return { viewers: links.from(await this.viewers.list(caller, id, query)).map(ViewerDto.from) };
  }
}
