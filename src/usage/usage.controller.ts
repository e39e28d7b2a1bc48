import { Controller, Get, Query, StreamableFile, UseInterceptors } from '@nestjs/common';
import { PathId } from '../core/validation/path-id.js';
import { ApiExtraModels, ApiOkResponse, getSchemaPath } from '#openapi';
import { Caller } from '../core/http/access.js';
import type { Principal } from '../core/http/principal.js';
import { type ExportFormat, RequestedExport, streamExport } from '../core/http/streamed-export.js';
import { Links, PageLinks } from '../core/lists/pagination.js';
import {
  ListedWorkspaceUsageDto,
  UsageOverviewDto,
  WorkspaceUsageDto,
  WorkspaceUsageListDto,
} from './dto/figures.dto.js';
import { GroupUsageDto, PersonUsageDto } from './dto/people-usage.dto.js';
import {
  PageCountDto,
  PageCountListDto,
  ReportUsageDetailDto,
  ReportUsageDto,
  ReportUsageListDto,
  UnusedReportDto,
  UnusedReportListDto,
} from './dto/report-usage.dto.js';
import {
  ExportUsageQuery,
  GroupUsageQuery,
  ReportUsageQuery,
  UnusedQuery,
  UsageQuery,
  WorkspaceUsageListQuery,
} from './dto/usage-query.dto.js';
import { PeopleUsageService } from './people-usage.service.js';
import { mapPages, shown, singlePage, usageExport } from './usage-export.js';
import { UsageSlotsInterceptor, UsageSlotsService } from './usage-slots.interceptor.js';
import { UsageService } from './usage.service.js';

const file = { schema: { type: 'string' } };
// oxlint-disable-next-line typescript/no-unsafe-function-type
const oneOf = (type: Function) => ({
  content: {
    'application/json': { schema: { $ref: getSchemaPath(type) } },
    'application/x-ndjson': file,
    'text/csv': file,
  },
});

@Controller('api/usage')
@UseInterceptors(UsageSlotsInterceptor)
@ApiExtraModels(
  UsageOverviewDto,
  ReportUsageListDto,
  ReportUsageDetailDto,
  PageCountListDto,
  WorkspaceUsageDto,
  WorkspaceUsageListDto,
  GroupUsageDto,
  PersonUsageDto,
  UnusedReportListDto,
)
export class UsageController {
  constructor(
    private readonly usage: UsageService,
    private readonly people: PeopleUsageService,
    private readonly slots: UsageSlotsService,
  ) {}

  /**
   * Returns views, viewers and opening times of all reports that the caller manages. `views` is what browsers reported,
   * `issued_views` what the service recorded. As CSV or NDJSON it contains the buckets only.
   */
  @Get('overview')
  @ApiOkResponse(oneOf(UsageOverviewDto))
  async overview(
    @Caller() caller: Principal,
    @Query() query: UsageQuery,
    @RequestedExport() format: ExportFormat | null,
  ): Promise<UsageOverviewDto | StreamableFile> {
    return shown('usage', UsageOverviewDto.from(await this.usage.overview(caller, query)), format);
  }

  /**
   * Lists the reports that were opened in the period, at most 100 on a page. Sort by `-opening` for the slowest, by `-views`
   * for the most opened. As CSV or NDJSON it contains all rows: `limit` and `cursor` are ignored.
   */
  @Get('reports')
  @ApiOkResponse(oneOf(ReportUsageListDto))
  async list(
    @Caller() caller: Principal,
    @Query() query: ReportUsageQuery,
    @RequestedExport() format: ExportFormat | null,
    @Links() links: PageLinks,
  ): Promise<ReportUsageListDto | StreamableFile> {
    if (format === null)
      return { reports: links.from(await this.usage.list(caller, query)).map(ReportUsageDto.from) };
    const rows = mapPages(this.usage.listAll(caller, query), ReportUsageDto.from);
    return streamExport(await usageExport('usage-reports', rows, this.slots), format);
  }

  /**
   * Returns the usage of a report, by page and over time. Managers and admins also see who opened it. As CSV or NDJSON it
   * contains the buckets only, without pages and people.
   */
  @Get('reports/:id')
  @ApiOkResponse(oneOf(ReportUsageDetailDto))
  async report(
    @Caller() caller: Principal,
    @PathId() id: string,
    @Query() query: UsageQuery,
    @RequestedExport() format: ExportFormat | null,
  ): Promise<ReportUsageDetailDto | StreamableFile> {
    return shown('usage-report', ReportUsageDetailDto.of(await this.usage.report(caller, id, query)), format);
  }

  /** Returns the 50 pages of a report with the most views. */
  @Get('reports/:id/pages')
  @ApiOkResponse(oneOf(PageCountListDto))
  async pages(
    @Caller() caller: Principal,
    @PathId() id: string,
    @Query() query: ExportUsageQuery,
    @RequestedExport() format: ExportFormat | null,
  ): Promise<PageCountListDto | StreamableFile> {
    const pages = (await this.usage.pages(caller, id, query)).map(PageCountDto.from);
    return format === null
      ? { pages }
      : streamExport(await usageExport('usage-pages', singlePage(pages)), format);
  }

  /**
   * Lists the workspaces that the caller manages with their views and viewers, also those without any. As CSV or NDJSON it
   * contains all rows: `limit` and `cursor` are ignored.
   */
  @Get('workspaces')
  @ApiOkResponse(oneOf(WorkspaceUsageListDto))
  async workspaces(
    @Caller() caller: Principal,
    @Query() query: WorkspaceUsageListQuery,
    @RequestedExport() format: ExportFormat | null,
    @Links() links: PageLinks,
  ): Promise<WorkspaceUsageListDto | StreamableFile> {
    if (format === null) {
      const page = await this.usage.listWorkspaces(caller, query);
      return { workspaces: links.from(page).map(ListedWorkspaceUsageDto.from) };
    }
    const rows = mapPages(this.usage.listAllWorkspaces(caller, query), ListedWorkspaceUsageDto.from);
    return streamExport(await usageExport('usage-workspaces', rows, this.slots), format);
  }

  /** Returns the usage of a workspace. As CSV or NDJSON it contains the buckets only. */
  @Get('workspaces/:id')
  @ApiOkResponse(oneOf(WorkspaceUsageDto))
  async workspace(
    @Caller() caller: Principal,
    @PathId() id: string,
    @Query() query: UsageQuery,
    @RequestedExport() format: ExportFormat | null,
  ): Promise<WorkspaceUsageDto | StreamableFile> {
    const { name, summary } = await this.usage.workspace(caller, id, query);
    return shown('usage-workspace', { workspace_id: id, name, ...UsageOverviewDto.from(summary) }, format);
  }

  /**
   * Returns what the people of a group opened. Without 5 people who opened a report, all figures are null. That does not make
   * them anonymous: periods and groups that overlap can be compared. As CSV or NDJSON it contains the buckets only.
   */
  @Get('groups/:id')
  @ApiOkResponse(oneOf(GroupUsageDto))
  async group(
    @Caller() caller: Principal,
    @PathId() id: string,
    @Query() query: GroupUsageQuery,
    @RequestedExport() format: ExportFormat | null,
  ): Promise<GroupUsageDto | StreamableFile> {
    return shown('usage-group', await this.people.group(caller, id, query), format);
  }

  /** Returns what a person opened. As CSV or NDJSON it contains the buckets only. */
  @Get('people/:id')
  @ApiOkResponse(oneOf(PersonUsageDto))
  async person(
    @Caller() caller: Principal,
    @PathId() id: string,
    @Query() query: UsageQuery,
    @RequestedExport() format: ExportFormat | null,
  ): Promise<PersonUsageDto | StreamableFile> {
    return shown('usage-person', await this.people.person(caller, id, query), format);
  }

  /**
   * Lists the reports that were not opened for some time, with the path of their grants. New reports are not among them. As CSV
   * or NDJSON it contains all rows: `limit` and `cursor` are ignored.
   */
  @Get('unused')
  @ApiOkResponse(oneOf(UnusedReportListDto))
  async unused(
    @Caller() caller: Principal,
    @Query() query: UnusedQuery,
    @RequestedExport() format: ExportFormat | null,
    @Links() links: PageLinks,
  ): Promise<UnusedReportListDto | StreamableFile> {
    if (format === null)
      return { reports: links.from(await this.usage.unused(caller, query)).map(UnusedReportDto.from) };
    const rows = mapPages(this.usage.listAllUnused(caller, query), UnusedReportDto.from);
    return streamExport(await usageExport('unused-reports', rows, this.slots), format);
  }
}
