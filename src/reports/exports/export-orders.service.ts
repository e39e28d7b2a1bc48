import { Injectable } from '@nestjs/common';
import { Clock } from '../../core/clock.js';
import { DatabaseService } from '../../core/database/database.service.js';
import type { Principal } from '../../core/http/principal.js';
import { InvalidRequest } from '../../core/problems/problem.js';
import type { EmbedRightsRow } from '../../embed/embed.queries.js';
import { SavedViewNotFound } from '../saved-views/saved-views.errors.js';
import { SavedViewsService } from '../saved-views/saved-views.service.js';
import type { CreateExportDto, ExportOptionsDto } from './dto/export.dto.js';
import { exportIdentity, ExportRightsService, refusalOf } from './export-rights.service.js';
import { ExportUpstreamService } from './export-upstream.service.js';
import { fileNameOf } from './file-name.js';
import { formatsOf, MAX_EXPORT_PAGES } from './formats.js';
import type { ReportExport } from './report-export.entity.js';

/** What a person may export, and how. */
@Injectable()
export class ExportOrdersService {
  constructor(
    private readonly database: DatabaseService,
    private readonly rights: ExportRightsService,
    private readonly upstream: ExportUpstreamService,
    private readonly views: SavedViewsService,
    private readonly clock: Clock,
  ) {}

  /** Throws ReportNotFound. */
  async optionsFor(caller: Principal, reportId: string): Promise<ExportOptionsDto> {
    const row = await this.rights.read(caller.id, reportId);
    const reason = refusalOf(row);
    return {
      can_export: reason === null,
      reason,
      formats: formatsOf(row.report_type),
      max_pages: MAX_EXPORT_PAGES,
    };
  }

  /** Throws InvalidRequest. */
  private async viewStateOf(
    caller: Principal,
    reportId: string,
    { view_id: id, view_state: state }: CreateExportDto,
  ): Promise<string | null> {
    if (id === undefined) return state ?? null;
    const refuse = (detail: string) => new InvalidRequest([{ pointer: '/view_id', detail }]);
    if (state !== undefined) throw refuse('view_id and view_state cannot be combined');
    try {
      return (await this.views.get(caller, reportId, id)).state;
    } catch (error) {
      if (error instanceof SavedViewNotFound) throw refuse('view_id must be a saved view of this report');
      throw error;
    }
  }

  /** Throws the errors of `ExportRightsService.require`, IdentityRequired or InvalidRequest. */
  async validate(
    caller: Principal,
    reportId: string,
    input: CreateExportDto,
  ): Promise<Omit<ReportExport, 'id'>> {
    const right = await this.rights.require(caller.id, reportId);
    checkType(right, input);
    exportIdentity(right);
    await this.checkPages(right, input.pages ?? []);
    const now = this.clock.now();
    return {
      userId: caller.id,
      reportId: right.report_id,
      workspaceId: right.workspace_id,
      format: input.format,
      pages: input.pages ?? [],
      viewState: await this.viewStateOf(caller, reportId, input),
      status: 'queued',
      percent: 0,
      fileName: fileNameOf(right.report_name, `.${input.format.toLowerCase()}`),
      size: null,
      errorCode: null,
      errorDetail: null,
      capacity: null,
      pbiExportId: null,
      identityHash: null,
      attempts: 0,
      createdAt: now,
      touchedAt: now,
      finishedAt: null,
      expiresAt: null,
    };
  }

  /**
   * Not within the transaction of an `Idempotency-Key`, which must not wait for Power BI; the export fails instead, as it does if
   * Power BI does not respond.
   */
  private async checkPages(right: EmbedRightsRow, pages: readonly string[]): Promise<void> {
    const unknown = this.database.isJoined ? -1 : await this.upstream.unknownPage(right, pages);
    if (unknown >= 0) {
      throw new InvalidRequest([{ pointer: `/pages/${unknown}`, detail: 'must be a page of the report' }]);
    }
  }
}

/** Throws InvalidRequest. */
function checkType({ report_type: type }: EmbedRightsRow, input: CreateExportDto): void {
  const formats = formatsOf(type);
  const refuse = (pointer: string, detail: string): never => {
    throw new InvalidRequest([{ pointer, detail }]);
  };
  if (!formats.includes(input.format)) {
    refuse('/format', `format must be one of ${formats.join(', ')} for this type of report`);
  }
  if (type !== 'PaginatedReport') return;
  if (input.pages !== undefined) refuse('/pages', 'pages of a paginated report cannot be selected');
  if (input.view_state !== undefined) refuse('/view_state', 'a paginated report has no views');
  if (input.view_id !== undefined) refuse('/view_id', 'a paginated report has no views');
}
