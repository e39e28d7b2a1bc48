import type { Report } from '../content/model.js';
import type { EffectiveIdentity } from '../embed/embed-token.js';
import type { Emulator } from '../emulator.js';
import { objectIn, objectsIn } from './body-fields.js';
import { readIdentities } from './effective-identity.js';
import { invalidRequest } from './power-bi-error.js';

/** File name extensions by format and type of report. */
const formats: Record<Report['reportType'], Record<string, string>> = {
  PowerBIReport: { PPTX: '.pptx', PDF: '.pdf', PNG: '.png' },
  PaginatedReport: {
    PPTX: '.pptx',
    PDF: '.pdf',
    ACCESSIBLEPDF: '.pdf',
    IMAGE: '.tiff',
    XLSX: '.xlsx',
    DOCX: '.docx',
    CSV: '.csv',
    XML: '.xml',
    MHTML: '.mhtml',
  },
};

const MAX_PAGES = 50;

export const labelMessage = 'A report with a sensitivity label cannot be exported by a service principal';

interface PageBookmark {
  name?: string;
  state?: string;
}

export interface ExportedPage {
  name: string;
  bookmark?: PageBookmark;
}

/** A validated request for an export. */
export interface ExportRequest {
  format: string;
  extension: string;
  pages: ExportedPage[];
  identities: EffectiveIdentity[];
  /** Why the job fails although the request was accepted. */
  failure?: { code: string; message: string };
}

/** Throws PowerBiError. */
export function readExportRequest(
  emulator: Emulator,
  report: Report,
  body: Record<string, unknown>,
): ExportRequest {
  const format = String(body.format);
  const isPaginated = report.reportType === 'PaginatedReport';
  const known = Object.values(formats).some((each) => Object.hasOwn(each, format));
  if (!known) throw invalidRequest('Parameter format is missing or invalid');
  const extension = formats[report.reportType][format];
  if (extension === undefined) {
    const type = isPaginated ? 'paginated' : 'Power BI';
    throw invalidRequest(`Format ${format} is not supported for ${type} reports`);
  }
  const [mine, other] = ['powerBIReportConfiguration', 'paginatedReportConfiguration'] as const;
  if (body[isPaginated ? mine : other]) {
    throw invalidRequest(`${isPaginated ? mine : other} does not match the type of the report`);
  }
  const configuration = isPaginated ? other : mine;
  const given = objectIn(body[configuration], configuration);
  const pages = isPaginated ? [{ name: 'all' }] : pagesOf(report, given);
  return {
    format,
    extension: format === 'PNG' && pages.length > 1 ? '.zip' : extension,
    pages,
    identities: readIdentities(given.identities),
    failure: checkPages(emulator, report, pages) ?? checkLabel(emulator, report),
  };
}

function pagesOf(report: Report, given: Record<string, unknown>): ExportedPage[] {
  const pages = objectsIn(given.pages, 'pages');
  const defaultBookmark = bookmarkIn(given.defaultBookmark, 'defaultBookmark');
  if (pages.length === 0) return report.pages.map(({ name }) => ({ name, bookmark: defaultBookmark }));
  return pages.map(({ pageName, bookmark }) => {
    if (typeof pageName !== 'string') throw invalidRequest('Parameter pages.pageName is missing or invalid');
    return { name: pageName, bookmark: bookmarkIn(bookmark, 'pages.bookmark') ?? defaultBookmark };
  });
}

function bookmarkIn(value: unknown, name: string): PageBookmark | undefined {
  if (value === undefined || value === null) return undefined;
  const bookmark = objectIn(value, name);
  const isText = (each: unknown): boolean => each === undefined || each === null || typeof each === 'string';
  if (!isText(bookmark.name) || !isText(bookmark.state))
    throw invalidRequest(`Parameter ${name} is missing or invalid`);
  return bookmark;
}

function checkPages(emulator: Emulator, report: Report, pages: ExportedPage[]): ExportRequest['failure'] {
  const isPaginated = report.reportType === 'PaginatedReport';
  const unknown = isPaginated
    ? undefined
    : pages.find(({ name }) => !report.pages.some((page) => page.name === name));
  if (pages.length > MAX_PAGES) {
    const message = `The number of exported pages exceeds the limit of ${MAX_PAGES}`;
    if (emulator.guess('export_too_many_pages') === '400') throw invalidRequest(message);
    return { code: 'ExportPagesLimitExceeded', message };
  }
  if (unknown === undefined) return undefined;
  const message = `The report has no page ${unknown.name}`;
  if (emulator.guess('export_unknown_page') === '400') throw invalidRequest(message);
  return { code: 'PageNotFound', message };
}

function checkLabel(emulator: Emulator, { sensitivityLabel }: Report): ExportRequest['failure'] {
  if (sensitivityLabel === undefined || emulator.guess('export_label') === '403') return undefined;
  return { code: 'SensitivityLabelNotSupported', message: labelMessage };
}
