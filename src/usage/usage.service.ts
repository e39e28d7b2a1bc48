import { Injectable } from '@nestjs/common';
import { DatabaseService } from '../core/database/database.service.js';
import type { Principal } from '../core/http/principal.js';
import type { Page } from '../core/lists/pagination.js';
import { WorkspaceNotFound } from '../workspaces/workspaces.errors.js';
import { WorkspacesService } from '../workspaces/workspaces.service.js';
import type { DetailedReportUsage, ListedReportUsage } from './dto/report-usage.dto.js';
import type {
  ExportUsageQuery,
  ReportUsageQuery,
  UnusedQuery,
  UsageQuery,
  WorkspaceUsageListQuery,
} from './dto/usage-query.dto.js';
import { type CountedPage, countedPages } from './figures.queries.js';
import { viewersOfReport } from './people-usage.queries.js';
import { lastViewOf } from './report-usage.queries.js';
import type { UnusedReport } from './adoption.queries.js';
import { UsageAccessService, type Workspaces } from './usage-access.service.js';
import { type ListedWorkspaceUsage, UsageReportsService } from './usage-reports.service.js';
import { UsageRollupService } from './usage-rollup.service.js';
import { type Summary, UsageSummaryService } from './usage-summary.service.js';

/** Usage of reports and workspaces, as far as the caller may see it. */
@Injectable()
export class UsageService {
  constructor(
    private readonly access: UsageAccessService,
    private readonly rollup: UsageRollupService,
    private readonly reports: UsageReportsService,
    private readonly summaries: UsageSummaryService,
    private readonly workspaces: WorkspacesService,
    private readonly database: DatabaseService,
  ) {}

  /** Throws UsageManagerRequired. */
  async overview(caller: Principal, { exclude_admins, ...given }: UsageQuery): Promise<Summary> {
    const workspaces = await this.access.workspacesOf(caller);
    await this.rollup.refresh();
    const period = await this.reports.period(given);
    return this.summaries.summarize({ workspaces, excludesAdmins: exclude_admins }, period);
  }

  /** Throws UsageManagerRequired. */
  async listWorkspaces(
    caller: Principal,
    query: WorkspaceUsageListQuery,
  ): Promise<Page<ListedWorkspaceUsage>> {
    const workspaces = await this.access.workspacesOf(caller);
    await this.rollup.refresh();
    return this.reports.listWorkspaces(caller, workspaces, query);
  }

  /** All workspaces that the caller still manages when their chunk is read. Throws UsageManagerRequired. */
  listAllWorkspaces(
    caller: Principal,
    query: WorkspaceUsageListQuery,
  ): AsyncGenerator<ListedWorkspaceUsage[]> {
    return this.whileManaged(
      () => this.access.workspacesOf(caller),
      (workspaces) => this.reports.listAllWorkspaces(caller, workspaces, query),
      ({ id }) => id,
    );
  }

  /** Throws UsageManagerRequired and WorkspaceNotFound. */
  async workspace(caller: Principal, id: string, { exclude_admins, ...given }: UsageQuery) {
    await this.access.requireWorkspace(caller, id);
    // Also a retired one: the list contains it.
    const workspace = await this.workspaces.find(id);
    if (workspace === null) throw new WorkspaceNotFound();
    await this.rollup.refresh();
    const period = await this.reports.period(given);
    const selection = { workspaces: [id], excludesAdmins: exclude_admins };
    return { id, name: workspace.name, summary: await this.summaries.summarize(selection, period) };
  }

  /** Throws UsageManagerRequired. */
  async list(caller: Principal, query: ReportUsageQuery): Promise<Page<ListedReportUsage>> {
    const workspaces = await this.access.workspacesIn(caller, query.workspace_id);
    await this.rollup.refresh();
    return this.reports.list(caller, workspaces, query);
  }

  /** All reports that the caller still manages when their chunk is read. Throws UsageManagerRequired. */
  listAll(caller: Principal, query: ReportUsageQuery): AsyncGenerator<ListedReportUsage[]> {
    return this.whileManaged(
      () => this.access.workspacesIn(caller, query.workspace_id),
      (workspaces) => this.reports.listAll(caller, workspaces, query),
      ({ workspaceId }) => workspaceId,
    );
  }

  /** Throws UsageManagerRequired. */
  async unused(caller: Principal, query: UnusedQuery): Promise<Page<UnusedReport>> {
    const workspaces = await this.access.workspacesIn(caller, query.workspace_id);
    await this.rollup.refresh();
    return this.reports.listUnused(caller, workspaces, query);
  }

  /** All unused reports that the caller still manages when their chunk is read. Throws UsageManagerRequired. */
  listAllUnused(caller: Principal, query: UnusedQuery): AsyncGenerator<UnusedReport[]> {
    return this.whileManaged(
      () => this.access.workspacesIn(caller, query.workspace_id),
      (workspaces) => this.reports.listAllUnused(caller, workspaces, query),
      ({ workspaceId }) => workspaceId,
    );
  }

  /** Throws ReportNotFound and UsageHidden. */
  async report(
    caller: Principal,
    id: string,
    { exclude_admins, ...given }: UsageQuery,
  ): Promise<DetailedReportUsage> {
    const { report, showsPeople } = await this.access.requireReport(caller, id);
    await this.rollup.refresh();
    const { manager } = this.database;
    const period = await this.reports.period(given);
    const selection = { reportId: id, excludesAdmins: exclude_admins };
    const summary = await this.summaries.summarize(selection, period);
    const pages = await countedPages(manager, selection, period);
    const lastViewedAt = await lastViewOf(manager, id);
    const { viewsFrom } = period;
    const hasPeople = showsPeople && period.to > viewsFrom;
    const isClipped = period.from < viewsFrom;
    const stored = hasPeople && isClipped ? await this.reports.period(given, { isRaw: true }) : period;
    const people = hasPeople ? await viewersOfReport(manager, selection, stored) : null;
    const peopleFrom = showsPeople && isClipped ? viewsFrom : null;
    return { report, lastViewedAt, summary, pages, people, peopleFrom };
  }

  /** Throws ReportNotFound and UsageHidden. */
  async pages(
    caller: Principal,
    id: string,
    { exclude_admins, ...given }: ExportUsageQuery,
  ): Promise<CountedPage[]> {
    await this.access.requireReport(caller, id);
    await this.rollup.refresh();
    const period = await this.reports.period({ ...given, bucket: 'day' });
    return countedPages(this.database.manager, { reportId: id, excludesAdmins: exclude_admins }, period);
  }

  private async *whileManaged<T>(
    managed: () => Promise<Workspaces>,
    read: (workspaces: Workspaces) => AsyncGenerator<T[]>,
    workspaceOf: (row: T) => string,
  ): AsyncGenerator<T[]> {
    const workspaces = await managed();
    await this.rollup.refresh();
    for await (const rows of read(workspaces)) {
      const present = await managed();
      yield rows.filter((row) => present?.includes(workspaceOf(row)) ?? true);
    }
  }
}
