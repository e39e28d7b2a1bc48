import { Injectable } from '@nestjs/common';
import { DatasetsService } from '../../catalogue/datasets.service.js';
import { Config } from '../../core/config/config.js';
import { Problem } from '../../core/problems/problem.js';
import { IdentityRequired } from '../../embed/embed.errors.js';
import type { EmbedRightsRow } from '../../embed/embed.queries.js';
import { PowerBiService } from '../../power-bi/power-bi.service.js';
import type { CallOptions, PbiExportRef } from '../../power-bi/power-bi.types.js';
import { exportRefusal, identityRequirement } from '../../power-bi/translate.js';
import { WorkspacesService } from '../../workspaces/workspaces.service.js';
import { ExportedPageMissing, ExportFailed } from './exports.errors.js';
import { exportIdentity } from './export-rights.service.js';
import { ExportStoreService } from './export-store.service.js';
import { fileNameOf } from './file-name.js';
import type { ReportExport } from './report-export.entity.js';

const MEGABYTE = 1024 * 1024;
const POLL_SECONDS = 5;
const MAX_POLL_SECONDS = 30;
/** An export that Power BI asks to repeat, or whose start it does not confirm, is started this often. */
export const MAX_ATTEMPTS = 3;

const refusals = new Set<string>(['power_bi_request_refused', 'power_bi_export_failed']);

type Progress =
  | { state: 'running'; percent: number; seconds: number }
  | { state: 'again'; seconds: number }
  | { state: 'succeeded'; extension: string };

/** Exports in Power BI. Every method throws Problem. */
@Injectable()
export class ExportUpstreamService {
  constructor(
    private readonly powerBi: PowerBiService,
    private readonly datasets: DatasetsService,
    private readonly workspaces: WorkspacesService,
    private readonly store: ExportStoreService,
    private readonly config: Config,
  ) {}

  /** The position of the first page that the report does not have; -1 without one, or if Power BI does not respond. */
  async unknownPage(right: EmbedRightsRow, pages: readonly string[]): Promise<number> {
    if (pages.length === 0) return -1;
    const { pbi_workspace_id: workspace, pbi_report_id: report } = right;
    try {
      const known = await this.powerBi.exports.pages(workspace, report, optionsOf(right));
      return pages.findIndex((page) => !known.includes(page));
    } catch (error) {
      if (error instanceof Problem) return -1;
      throw error;
    }
  }

  /** The error with which an export ends. A refusal of Power BI may be due to a page, which it does not name. */
  async reasonOf(error: unknown, { pages }: ReportExport, right: EmbedRightsRow): Promise<unknown> {
    if (!(error instanceof Problem) || !refusals.has(error.code)) return error;
    const page = pages[await this.unknownPage(right, pages)];
    return page === undefined ? error : new ExportedPageMissing(page);
  }

  capacityOf(right: EmbedRightsRow): Promise<string> {
    return this.powerBi.exports.capacityOf(right.pbi_workspace_id, optionsOf(right));
  }

  /** Starts the export with the identity that the person has now. Returns Power BI's id of it. */
  async start(row: ReportExport, right: EmbedRightsRow): Promise<string> {
    const { pbi_workspace_id: pbiWorkspaceId, pbi_report_id: pbiReportId, report_type: reportType } = right;
    const { format, pages, viewState } = row;
    const identity = exportIdentity(right);
    if (identity === null) await this.confirmWithoutIdentity(right);
    const order = { pbiWorkspaceId, pbiReportId, reportType, format, identity, pages, viewState };
    try {
      return await this.powerBi.exports.start(order, row.capacity ?? pbiWorkspaceId, optionsOf(right));
    } catch (error) {
      const requirement = identityRequirement(error);
      if (requirement !== undefined && right.dataset_id !== null)
        await this.datasets.recordIdentityRequirement(right.dataset_id, requirement);
      throw error;
    }
  }

  /**
   * Power BI may export all rows without an identity, and what is stored of the dataset is as old as the last sync. Throws
   * IdentityRequired unless Power BI reports now that no row-level security applies.
   */
  private async confirmWithoutIdentity(right: EmbedRightsRow): Promise<void> {
    const { pbi_report_id: pbiReport, pbi_dataset_id: pbiDataset, dataset_id: id } = right;
    const reports = await this.powerBi.listReports(right.pbi_workspace_id, optionsOf(right));
    const report = reports.find(({ pbiReportId }) => pbiReportId === pbiReport);
    if (report === undefined)
      throw new Problem('power_bi_report_missing', 'Power BI does not list the report in its workspace.');
    if (report.pbiDatasetId !== pbiDataset)
      throw new IdentityRequired('This report uses another dataset since the last sync.');
    // A paginated report may have its own data source.
    if (id === null) return;
    // A report may use a dataset of another workspace.
    const { workspaceId } = await this.datasets.get(id);
    const listing = await this.workspaces.find(workspaceId);
    const options = { profileId: listing?.pbiProfileId ?? undefined };
    const datasets = listing === null ? [] : await this.powerBi.listDatasets(listing.pbiWorkspaceId, options);
    const dataset = datasets.find(({ pbiDatasetId }) => pbiDatasetId === pbiDataset);
    if (dataset?.identityRequired === false) return;
    if (dataset?.identityRequired !== true)
      throw new IdentityRequired(
        'Power BI does not report whether the dataset of this report has row-level security. An administrator can give the service principal write access to the dataset.',
      );
    await this.datasets.recordIdentityRequirement(id, { identityRequired: true });
    throw new IdentityRequired('The dataset of this report has row-level security since the last sync.');
  }

  async progress(row: ReportExport, right: EmbedRightsRow): Promise<Progress> {
    const found = await this.powerBi.exports.progress(refOf(row, right), optionsOf(right));
    const { state, percent, extension, error, retryAfter } = found;
    if (state === 'succeeded') return { state, extension: extension ?? `.${row.format.toLowerCase()}` };
    if (state !== 'failed') {
      const seconds = Math.min(Math.max(retryAfter ?? POLL_SECONDS, 1), MAX_POLL_SECONDS);
      return { state: 'running', percent, seconds };
    }
    const refusal = exportRefusal(error.code, error.message);
    if (refusal !== undefined) throw new Problem(...refusal);
    // Power BI sends `Retry-After` with a failure that a new attempt may avoid.
    if (retryAfter === undefined || row.attempts >= MAX_ATTEMPTS) throw new ExportFailed(error.code);
    return { state: 'again', seconds: Math.max(1, retryAfter) };
  }

  /** Stores the file. */
  async download(
    row: ReportExport,
    right: EmbedRightsRow,
    extension: string,
  ): Promise<{ fileName: string; size: number }> {
    let size = 0;
    const sink = async (body: AsyncIterable<Buffer>): Promise<void> => {
      size = await this.store.write(row.id, body);
    };
    const maxBytes = this.config.exports.maxMegabytes * MEGABYTE;
    await this.powerBi.exports.download(refOf(row, right), { sink, maxBytes }, optionsOf(right));
    // Another status than 200 has no file.
    if (size === 0) throw new Problem('power_bi_unavailable', 'Power BI sent no file of the export.');
    return { fileName: fileNameOf(right.report_name, extension), size };
  }
}

const optionsOf = ({ pbi_profile_id: profileId }: EmbedRightsRow): CallOptions => ({
  profileId: profileId ?? undefined,
});

const refOf = (row: ReportExport, right: EmbedRightsRow): PbiExportRef => ({
  pbiWorkspaceId: right.pbi_workspace_id,
  pbiReportId: right.pbi_report_id,
  pbiExportId: row.pbiExportId as string,
});
