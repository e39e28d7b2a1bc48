import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, In, IsNull, Repository } from 'typeorm';
import { Clock } from '../core/clock.js';
import { Cursors } from '../core/lists/cursors.js';
import { listPage, type Page } from '../core/lists/pagination.js';
import type { Principal } from '../core/http/principal.js';
import { fingerprint, fingerprintSql } from '../core/database/fingerprint.js';
import { reconcile, type ReconcileResult } from '../core/database/reconcile.js';
import { ListReportsQuery, reportSortKeys } from './dto/list-reports.dto.js';
import { Report } from './report.entity.js';
import { ReportNotFound } from './reports.errors.js';
import { findReport, listReports } from './reports.queries.js';

type ReconciledReport = Pick<
  Report,
  'pbiReportId' | 'pbiDatasetId' | 'name' | 'description' | 'reportType' | 'webUrl' | 'embedUrl'
>;

/** In the order of `fingerprintOf`. */
const columns = [
  'pbi_report_id',
  'pbi_dataset_id',
  'name',
  'description',
  'report_type',
  'web_url',
  'embed_url',
];

@Injectable()
export class ReportsService {
  constructor(
    @InjectRepository(Report) private readonly reports: Repository<Report>,
    private readonly cursors: Cursors,
    private readonly clock: Clock,
  ) {}

  list(caller: Principal, { workspace_id, q, ...page }: ListReportsQuery): Promise<Page<Report>> {
    const { manager } = this.reports;
    const query = { caller, now: this.clock.now(), workspaceId: workspace_id, q };
    return listPage(
      { name: 'reports', read: (keyset) => listReports(manager, { ...query, keyset }) },
      { reader: caller, ...page, q, keys: reportSortKeys, filters: { workspace_id } },
      this.cursors,
    );
  }

  /** Throws ReportNotFound, also for one that is not the caller's. */
  async get(caller: Principal, id: string): Promise<Report> {
    const report = await findReport(this.reports.manager, caller, this.clock.now(), id);
    if (report === undefined) throw new ReportNotFound();
    return report;
  }

  /** The catalogue's view of one workspace: follows what Power BI has. Answers from where else reports came, too. */
  async reconcile(
    tx: EntityManager,
    workspaceId: string,
    found: readonly ReconciledReport[],
    began: Date,
  ): Promise<ReconcileResult & { count: number; movedFrom: string[] }> {
    const had = await tx.findBy(Report, { workspaceId });
    const fields = found.map((report) => ({ workspaceId, ...report }));
    const result = await reconcile(tx, {
      entity: Report,
      had,
      found: fields,
      key: 'pbiReportId',
      now: this.clock.now(),
      began,
    });
    const movedFrom = result.changes > 0 ? await this.retireElsewhere(tx, workspaceId, found) : [];
    return { ...result, count: await this.count(tx, workspaceId), movedFrom };
  }

  /** Of what is stored of each of these workspaces; equals `fingerprintOf` what Power BI lists when nothing changed. */
  async fingerprints(workspaceIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const rows = await this.reports.query<{ id: string; print: string }[]>(
      `SELECT workspace_id AS id, ${fingerprintSql(columns)} AS print FROM reports
       WHERE workspace_id = ANY($1) AND retired_at IS NULL GROUP BY workspace_id`,
      [workspaceIds],
    );
    return new Map(rows.map(({ id, print }) => [id, print]));
  }

  fingerprintOf(found: readonly ReconciledReport[]): string {
    return fingerprint(
      found.map((report) => [
        report.pbiReportId,
        report.pbiDatasetId,
        report.name,
        report.description,
        report.reportType,
        report.webUrl,
        report.embedUrl,
      ]),
    );
  }

  count(tx: EntityManager, workspaceId: string): Promise<number> {
    return tx.countBy(Report, { workspaceId, retiredAt: IsNull() });
  }

  /** With their workspace they go. */
  async retireAll(tx: EntityManager, workspaceIds: readonly string[]): Promise<void> {
    const where = { workspaceId: In([...workspaceIds]), retiredAt: IsNull() };
    await tx.update(Report, where, { retiredAt: this.clock.now() });
  }

  /** What is here now is nowhere else: nobody goes on seeing it by a grant in the workspace that it was moved from. */
  private async retireElsewhere(
    tx: EntityManager,
    workspaceId: string,
    found: readonly ReconciledReport[],
  ): Promise<string[]> {
    // OFFSET 0 keeps the lookup by id: of a table that was just filled, PostgreSQL would rather read a whole index.
    const elsewhere = await tx.query<{ id: string; workspace_id: string }[]>(
      `SELECT other.id, other.workspace_id FROM unnest($1::uuid[]) AS here (id), LATERAL (
         SELECT id, workspace_id, retired_at FROM reports WHERE pbi_report_id = here.id OFFSET 0) AS other
       WHERE other.workspace_id <> $2 AND other.retired_at IS NULL`,
      [found.map((report) => report.pbiReportId), workspaceId],
    );
    if (elsewhere.length === 0) return [];
    await tx.update(Report, { id: In(elsewhere.map(({ id }) => id)) }, { retiredAt: this.clock.now() });
    return [...new Set(elsewhere.map((report) => report.workspace_id))];
  }
}
