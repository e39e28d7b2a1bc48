import { Injectable } from '@nestjs/common';
import { Clock } from '../core/clock.js';
import { Config } from '../core/config/config.js';
import { DatabaseService } from '../core/database/database.service.js';
import type { Principal } from '../core/http/principal.js';
import { Cursors } from '../core/lists/cursors.js';
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
  workspaceSortKeys,
} from './adoption.queries.js';
import type { Workspaces } from './usage-access.service.js';

const DAY_SECONDS = 86_400;
/** The people of each day of a report are read for its viewers: a larger page takes longer than a statement may. */
const MAX_REPORTS = 100;
/** A row of their order is small: 100,000 take about 30 MB. */
const ALL_REPORTS = Number.MAX_SAFE_INTEGER - 1;
const none = { ...noFigures, viewers: 0, previousViews: 0, viewsOverTime: [] };

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
    const all = { ...query, cursor: undefined, limit: ALL_REPORTS };
    const { found, ...days } = await this.find(caller, workspaces, all);
    for (let first = 0; first < found.items.length; first += MAX_REPORTS)
      yield this.withDetails(found.items.slice(first, first + MAX_REPORTS), days);
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
    const { countsViewers } = this.config.usage;
    return rows.map((row) => {
      const more = details.get(row.id) ?? none;
      return {
        ...row,
        ...more,
        viewers: countsViewers ? more.viewers : null,
        previousViews: hasPrevious(period) ? more.previousViews : null,
      };
    });
  }

  async workspaces(
    caller: Pick<Principal, 'id'>,
    workspaces: Workspaces,
    { from, to, days, exclude_admins, q, ...page }: WorkspaceUsageListQuery,
  ): Promise<Page<UsedWorkspace>> {
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
    const { countsViewers } = this.config.usage;
    const items = found.items.map((row) => ({
      ...row,
      viewers: countsViewers ? row.viewers : null,
      previousViews: hasPrevious(period) ? row.previousViews : null,
    }));
    return { ...found, items };
  }

  /** One page for each day of the period; the cursor is the next day. */
  async listDays(
    { from, to, days, exclude_admins }: ExportUsageQuery,
    cursor?: string,
  ): Promise<Page<ReportDay>> {
    const period = await this.period({ from, to, days, bucket: 'day' });
    const day = cursor ?? period.from;
    const next = addDays(day, 1);
    const items = await reportDays(this.database.manager, day, exclude_admins);
    return { items, ...(next < period.to && { next }) };
  }

  unused(
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
}
