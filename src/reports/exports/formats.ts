import type { ReportType } from '../report.entity.js';

export const exportFormats = ['PDF', 'PPTX', 'PNG', 'XLSX', 'DOCX', 'CSV'] as const;
export type ExportFormat = (typeof exportFormats)[number];

/** What Power BI can export a report of each type to. */
const formatsByType: Record<ReportType, readonly ExportFormat[]> = {
  PowerBIReport: ['PDF', 'PPTX', 'PNG'],
  PaginatedReport: ['PDF', 'PPTX', 'XLSX', 'DOCX', 'CSV'],
};

export const formatsOf = (type: ReportType): ExportFormat[] => [...formatsByType[type]];

/** Power BI's limit for one export. */
export const MAX_EXPORT_PAGES = 50;

const office = 'application/vnd.openxmlformats-officedocument';

/** By the extension of the file: Power BI sends several pages as PNG in a ZIP file. */
const mediaTypes: Record<string, string> = {
  pdf: 'application/pdf',
  png: 'image/png',
  zip: 'application/zip',
  csv: 'text/csv; charset=utf-8',
  pptx: `${office}.presentationml.presentation`,
  xlsx: `${office}.spreadsheetml.sheet`,
  docx: `${office}.wordprocessingml.document`,
};

const OTHER_TYPE = 'application/octet-stream';

export const mediaTypeOf = (fileName: string): string =>
  mediaTypes[/\.(\w+)$/.exec(fileName)?.[1]?.toLowerCase() ?? ''] ?? OTHER_TYPE;

/** All types of `mediaTypeOf`, without parameters. */
export const fileTypes = [...Object.values(mediaTypes), OTHER_TYPE].map((type) => type.replace(/;.*/, ''));
