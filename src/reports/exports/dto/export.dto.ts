import { ApiPropertyOptional, OmitType } from '#openapi';
import { ArrayMaxSize, ArrayMinSize, ArrayUnique, IsArray, IsIn, Length } from 'class-validator';
import { ListQuery } from '../../../core/lists/list-query.dto.js';
import { SortedBy, type SortKeys } from '../../../core/lists/pagination.js';
import type { ProblemCode } from '../../../core/problems/problem-catalogue.js';
import { IsId, IsText, OptionalField } from '../../../core/validation/validators.js';
import { IsViewState } from '../../saved-views/dto/saved-view.dto.js';
import type { ExportRefusal } from '../export-rights.service.js';
import { type ExportFormat, exportFormats, MAX_EXPORT_PAGES } from '../formats.js';
import type { ExportStatus, ReportExport } from '../report-export.entity.js';

export class ExportErrorDto {
  code!: ProblemCode;
  detail!: string;
}

export class ExportDto {
  id!: string;
  report_id!: string;
  format!: ExportFormat;
  status!: ExportStatus;
  percent!: number;
  file_name!: string;
  /** Bytes; null until the export has succeeded. */
  size!: number | null;
  /** Why it failed or was cancelled; while it is queued, why it waits. */
  error!: ExportErrorDto | null;
  created_at!: Date;
  /** When the file is deleted; null until the export has succeeded. */
  expires_at!: Date | null;

  static from(row: ReportExport): ExportDto {
    const { errorCode: code, errorDetail: detail } = row;
    return {
      id: row.id,
      report_id: row.reportId,
      format: row.format,
      status: row.status,
      percent: row.percent,
      file_name: row.fileName,
      size: row.size === null ? null : Number(row.size),
      error: code === null ? null : { code, detail: detail ?? '' },
      created_at: row.createdAt,
      expires_at: row.expiresAt,
    };
  }
}

export class ExportListDto {
  exports!: ExportDto[];
}

export class ExportTicketDto {
  /** Downloads the file once, without a bearer token. */
  url!: string;
  expires_at!: Date;
}

export class ExportOptionsDto {
  /** Whether the caller may export this report. */
  can_export!: boolean;
  /** Why the caller may not: access to the report is blocked, or its workspace allows no exports by viewers. */
  reason!: ExportRefusal | null;
  /** Formats of this type of report. */
  formats!: ExportFormat[];
  /** Most pages of one export. */
  max_pages!: number;
}

export const exportSortKeys: SortKeys<ReportExport> = {
  created_at: { sql: 'export.createdAt', of: (row) => row.createdAt.toISOString() },
};

export class ListExportsQuery extends OmitType(ListQuery, ['q']) {
  @SortedBy(exportSortKeys)
  sort: string = '-created_at';
}

export class CreateExportDto {
  /** Power BI reports: PDF, PPTX, PNG. Paginated reports: PDF, PPTX, XLSX, DOCX, CSV. */
  @IsIn(exportFormats)
  format!: ExportFormat;

  /** Names of the pages to export, in this order; all visible pages if omitted. Not for paginated reports. */
  @ApiPropertyOptional({ maxItems: MAX_EXPORT_PAGES })
  @OptionalField()
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(MAX_EXPORT_PAGES)
  @ArrayUnique()
  @IsText({ each: true })
  @Length(1, 200, { each: true })
  pages?: string[];

  /** State of a bookmark that the client captured, to export the current view, at most 65,536 bytes. Not for paginated reports. */
  @OptionalField()
  @IsViewState()
  view_state?: string;

  /** A saved view of the report, instead of `view_state`. Not for paginated reports. */
  @OptionalField()
  @IsId()
  view_id?: string;
}
