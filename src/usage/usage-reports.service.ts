import { Injectable } from '@nestjs/common';
import { Clock } from '../core/clock.js';
import { Config } from '../core/config/config.js';
import { DatabaseService } from '../core/database/database.service.js';
import type { Principal } from '../core/http/principal.js';
import { chunksOf } from '../core/lists/chunks.js';
import { Cursors } from '../core/lists/cursors.js';
import { MAX_PAGE } from '../core/lists/list-query.dto.js';
import { listPage, type Page } from '../core/lists/pagination.js';
import type { ListedReportUsage } from './dto/report-usage.dto.js';
import type {
  ExportUsageQuery,
  ReportUsageQuery,
  UnusedQuery,
  WorkspaceUsageListQuery,
} from './dto/usage-query.dto.js';
import { noFigures, type Selection } from './figures.queries.js';
import { addDays, type GivenPeriod, hasPrevious, type Period, resolvePeriod } from './period.js';
import {
  listUsedReports,
  type ReportDay,
  reportDays,
  reportDetails,
  reportSortKeys,
  type UsedReport,
} from './report-usage.queries.js';
import {
  listUnused,
  listUsedWorkspaces,
  type UnusedReport,
  unusedSortKeys,
  type UsedWorkspace,
  type WorkspaceDetails,
  workspaceDetails,
  workspaceSortKeys,
} from './adoption.queries.js';
import type { Workspaces } from './usage-access.service.js';

const DAY_SECONDS = 86_400;
/** The people of each day of a report are read for its viewers: a larger page takes longer than a statement may. */
const MAX_REPORTS = 100;
/** A row of their order is small: 100,000 take about 30 MB. */
const ALL = { cursor: undefined, limit: Number.MAX_SAFE_INTEGER - 1 };
const noDetails: WorkspaceDetails = { viewers: 0, previousViews: 0 };
const none = { ...noFigures, ...noDetails, viewsOverTime: [] };

export type ListedWorkspaceUsage = UsedWorkspace & WorkspaceDetails;

interface UsedDays {
  selection: Selection;
  period: Period;
}

/** Lists of reports and workspaces with their usage. */
@Injectable()
export class UsageReportsService {
  constructor(
    private readonly config: Config,
    private readonly database: DatabaseService,
    private readonly cursors: Cursors,
    private readonly clock: Clock,
  ) {}

  /** Throws InvalidRequest. `isRaw` restricts the period to days with single views. */
  period(given: GivenPeriod, { isRaw = false } = {}): Promise<Period> {
    return resolvePeriod(this.database.manager, given, {
      config: this.config.usage,
      now: this.clock.now(),
      isRaw,
    });
  }

  async list(
    caller: Pick<Principal, 'id'>,
    workspaces: Workspaces,
    query: ReportUsageQuery,
  ): Promise<Page<ListedReportUsage>> {
    const limit = Math.min(query.limit, MAX_REPORTS);
    const { found, ...days } = await this.find(caller, workspaces, { ...query, limit });
    return { ...found, items: await this.withDetails(found.items, days) };
  }

  /** Chunks of all reports in the order of now: later pages of a list would lose and repeat those whose figures change meanwhile. */
  async *listAll(
    caller: Pick<Principal, 'id'>,
    workspaces: Workspaces,
    query: ReportUsageQuery,
  ): AsyncGenerator<ListedReportUsage[]> {
    const { found, ...days } = await this.find(caller, workspaces, { ...query, ...ALL });
    for (const rows of chunksOf(found.items, MAX_REPORTS)) yield this.withDetails(rows, days);
  }

  private async find(
    caller: Pick<Principal, 'id'>,
    workspaces: Workspaces,
    { from, to, days, exclude_admins, workspace_id, q, ...page }: ReportUsageQuery,
  ): Promise<UsedDays & { found: Page<UsedReport> }> {
    const { manager } = this.database;
    const period = await this.period({ from, to, days, bucket: 'day' });
    const selection = { workspaces, excludesAdmins: exclude_admins };
    // The days as requested: those of a relative period differ after midnight, between two pages.
    const filters = { from, to, days, exclude_admins, workspace_id };
    const found = await listPage(
      {
        name: 'usage reports',
        read: (keyset) => listUsedReports(manager, { selection, period, q, keyset }),
      },
      { reader: caller, ...page, q, keys: reportSortKeys, filters },
      this.cursors,
    );
    return { found, selection, period };
  }

  private async withDetails(
    rows: readonly UsedReport[],
    { selection, period }: UsedDays,
  ): Promise<ListedReportUsage[]> {
    const ids = rows.map(({ id }) => id);
    const details = await reportDetails(this.database.manager, ids, selection, period);
    return rows.map((row) => ({ ...row, ...this.shown(details.get(row.id) ?? none, period) }));
  }

  /** The details without viewers that are not counted and views of days that are no longer kept. */
  private shown<D extends WorkspaceDetails>(details: D, period: Period): D {
    const { countsViewers } = this.config.usage;
    return {
      ...details,
      viewers: countsViewers ? details.viewers : null,
      previousViews: hasPrevious(period) ? details.previousViews : null,
    };
  }

  async listWorkspaces(
    caller: Pick<Principal, 'id'>,
    workspaces: Workspaces,
    query: WorkspaceUsageListQuery,
  ): Promise<Page<ListedWorkspaceUsage>> {
    const { found, ...days } = await this.findWorkspaces(caller, workspaces, query);
    return { ...found, items: await this.withWorkspaceDetails(found.items, days) };
  }

  /** Chunks of all workspaces in the order of now, like `listAll`. */
  async *listAllWorkspaces(
    caller: Pick<Principal, 'id'>,
    workspaces: Workspaces,
    query: WorkspaceUsageListQuery,
  ): AsyncGenerator<ListedWorkspaceUsage[]> {
    const { found, ...days } = await this.findWorkspaces(caller, workspaces, { ...query, ...ALL });
    for (const rows of chunksOf(found.items, MAX_PAGE)) yield this.withWorkspaceDetails(rows, days);
  }

  private async findWorkspaces(
    caller: Pick<Principal, 'id'>,
    workspaces: Workspaces,
    { from, to, days, exclude_admins, q, ...page }: WorkspaceUsageListQuery,
  ): Promise<UsedDays & { found: Page<UsedWorkspace> }> {
    const period = await this.period({ from, to, days, bucket: 'day' });
    const selection = { workspaces, excludesAdmins: exclude_admins };
    const found = await listPage(
      {
        name: 'usage workspaces',
        read: (keyset) => listUsedWorkspaces(this.database.manager, { selection, period, q, keyset }),
      },
      { reader: caller, ...page, q, keys: workspaceSortKeys, filters: { from, to, days, exclude_admins } },
      this.cursors,
    );
    return { found, selection, period };
  }

  private async withWorkspaceDetails(
    rows: readonly UsedWorkspace[],
    { selection, period }: UsedDays,
  ): Promise<ListedWorkspaceUsage[]> {
    const ids = rows.map(({ id }) => id);
    const details = await workspaceDetails(this.database.manager, ids, selection, period);
    return rows.map((row) => ({ ...row, ...this.shown(details.get(row.id) ?? noDetails, period) }));
  }

  /** One chunk for each day of the period. */
  async *listDays({ from, to, days, exclude_admins }: ExportUsageQuery): AsyncGenerator<ReportDay[]> {
    const period = await this.period({ from, to, days, bucket: 'day' });
    const { countsViewers } = this.config.usage;
    for (let day = period.from; day < period.to; day = addDays(day, 1)) {
      const rows = await reportDays(this.database.manager, day, exclude_admins);
      yield countsViewers ? rows : rows.map((row) => ({ ...row, viewers: null }));
    }
  }

  listUnused(
    caller: Pick<Principal, 'id'>,
    workspaces: Workspaces,
    { days, workspace_id, ...page }: UnusedQuery,
  ): Promise<Page<UnusedReport>> {
    const before = this.clock.in(-days * DAY_SECONDS);
    return listPage(
      {
        name: 'unused reports',
        read: (keyset) => listUnused(this.database.manager, { workspaces, before, keyset }),
      },
      { reader: caller, ...page, keys: unusedSortKeys, filters: { days, workspace_id } },
      this.cursors,
    );
  }

  /** Chunks of all unused reports in the order of now, like `listAll`. */
  async *listAllUnused(
    caller: Pick<Principal, 'id'>,
    workspaces: Workspaces,
    query: UnusedQuery,
  ): AsyncGenerator<UnusedReport[]> {
    const { items } = await this.listUnused(caller, workspaces, { ...query, ...ALL });
    yield* chunksOf(items, MAX_PAGE);
  }
}
