import type { ProblemCode } from '../../../core/problems/problem-catalogue.js';
import type { ExportRefusal } from '../export-rights.service.js';
import type { ExportFormat } from '../formats.js';
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
