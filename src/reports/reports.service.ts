import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Any, type EntityManager, IsNull, Not, Repository } from 'typeorm';
import { Clock } from '../core/clock.js';
import { Cursors } from '../core/lists/cursors.js';
import { listPage, type Page } from '../core/lists/pagination.js';
import type { Principal } from '../core/http/principal.js';
import type { Target } from '../access/grants/grant.js';
import { fingerprint, storedFingerprints } from '../core/database/fingerprint.js';
import { reconcile, type ReconcileResult } from '../core/database/reconcile.js';
import { ListReportsQuery, reportSortKeys } from './dto/report.dto.js';
import { Report } from './report.entity.js';
import { ReportNotFound } from './reports.errors.js';
import {
  findCopiesElsewhere,
  findListedReports,
  findReport,
  type ListedReport,
  listReports,
} from './reports.queries.js';

/** What comes from Power BI, key first. */
const reconciled = [
  'pbiReportId',
  'pbiDatasetId',
  'name',
  'description',
  'reportType',
  'webUrl',
  'embedUrl',
] as const;

type ReconciledReport = Pick<Report, (typeof reconciled)[number]>;

export interface RetiredReport {
  id: string;
  workspaceId: string;
}

/** Of another dataset, or from before the retirement, it would be wrong. */
const unknownFreshness = { dataAsOf: null, refreshStatus: null, refreshFailedSince: null };

@Injectable()
export class ReportsService {
  constructor(
    @InjectRepository(Report) private readonly reports: Repository<Report>,
    private readonly cursors: Cursors,
    private readonly clock: Clock,
  ) {}

  list(caller: Principal, { workspace_id, q, ...page }: ListReportsQuery): Promise<Page<ListedReport>> {
    const { manager } = this.reports;
    const query = { caller, now: this.clock.now(), workspaceId: workspace_id, q };
    return listPage(
      { name: 'reports', read: (keyset) => listReports(manager, { ...query, keyset }) },
      { reader: caller, ...page, q, keys: reportSortKeys, filters: { workspace_id } },
      this.cursors,
    );
  }

  /** Throws ReportNotFound, also for a report that the caller may not see. */
  async get(caller: Principal, id: string, tx: EntityManager = this.reports.manager): Promise<Report> {
    const report = await findReport(tx, caller, this.clock.now(), id);
    if (report === undefined) throw new ReportNotFound();
    return report;
  }

  /** A retired report, which no user sees. Callers check the rights. */
  findRetired(id: string): Promise<Report | null> {
    return this.reports.findOneBy({ id, retiredAt: Not(IsNull()) });
  }

  /** The report as the target of a grant. Throws as `get` does. */
  async targetOf(caller: Principal, id: string): Promise<Required<Target>> {
    const { workspaceId } = await this.get(caller, id);
    return { workspaceId, reportId: id };
  }

  /** Returns the workspace ids of those of the given reports that the caller may see, by report id. */
  async visibleAmong(
    caller: Principal,
    ids: readonly string[],
    tx: EntityManager = this.reports.manager,
  ): Promise<ReadonlyMap<string, string>> {
    if (ids.length === 0) return new Map();
    const found = await findListedReports(tx, caller, this.clock.now(), ids);
    return new Map(found.map(({ id, workspaceId }) => [id, workspaceId]));
  }

  /** Returns those of the given reports that the caller may see, in the given order. */
  async findByIds(caller: Principal, ids: readonly string[]): Promise<ListedReport[]> {
    if (ids.length === 0) return [];
    const found = await findListedReports(this.reports.manager, caller, this.clock.now(), ids);
    const byId = new Map(found.map((report) => [report.id, report]));
    return ids.flatMap((id) => byId.get(id) ?? []);
  }

  /**
   * For the catalogue sync: brings the reports of one workspace in line with Power BI. Also returns the reports in other
   * workspaces that were retired because they were moved here: a grant in the former workspace gives no access to them.
   */
  async reconcile(
    tx: EntityManager,
    workspaceId: string,
    found: readonly ReconciledReport[],
    syncStartedAt: Date,
  ): Promise<ReconcileResult & { count: number; moved: RetiredReport[] }> {
    const stored = await tx.findBy(Report, { workspaceId });
    const before = new Map(stored.map((report) => [report.pbiReportId, report]));
    const fields = found.map((report) => {
      const known = before.get(report.pbiReportId);
      const isSame = known?.retiredAt === null && known.pbiDatasetId === report.pbiDatasetId;
      return { workspaceId, ...report, ...(known !== undefined && !isSame && unknownFreshness) };
    });
    const moved = await findCopiesElsewhere(
      tx,
      workspaceId,
      found.map(({ pbiReportId }) => pbiReportId),
    );
    const result = await reconcile(tx, {
      entity: Report,
      stored,
      found: fields,
      key: 'pbiReportId',
      now: this.clock.now(),
      syncStartedAt,
      superseded: moved.map(({ id }) => id),
    });
    return { ...result, count: await this.count(tx, workspaceId), moved };
  }

  /**
   * Fingerprints of the stored reports by workspace id. Equal to `fingerprintOf` the reports that Power BI lists if
   * nothing changed.
   */
  fingerprints(workspaceIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
    return storedFingerprints(this.reports, reconciled, workspaceIds);
  }

  fingerprintOf(found: readonly ReconciledReport[]): string {
    return fingerprint(found, reconciled);
  }

  count(tx: EntityManager, workspaceId: string): Promise<number> {
    return tx.countBy(Report, { workspaceId, retiredAt: IsNull() });
  }

  /** Retires all reports of these workspaces, which are retired themselves. Returns these reports. */
  async retireAll(tx: EntityManager, workspaceIds: readonly string[]): Promise<RetiredReport[]> {
    if (workspaceIds.length === 0) return [];
    const retired = await tx.find(Report, {
      select: { id: true, workspaceId: true },
      where: { workspaceId: Any([...workspaceIds]), retiredAt: IsNull() },
      order: { id: 'ASC' },
      lock: { mode: 'for_no_key_update' },
    });
    await tx.update(Report, { id: Any(retired.map(({ id }) => id)) }, { retiredAt: this.clock.now() });
    return retired.map(({ id, workspaceId }) => ({ id, workspaceId }));
  }
}
