import { randomBytes } from 'node:crypto';
import { Router, type Request, type RequestHandler, type Response } from 'express';
import type { Report, Workspace } from '../content/model.js';
import { newJob, percentOf, phaseOf, type ExportJob } from '../core/jobs.js';
import { principalOf } from '../core/locals.js';
import { themes, type Row } from '../embed/demo-data.js';
import { identityFor, visibleRows } from '../embed/row-security.js';
import type { Emulator } from '../emulator.js';
import { checkIdentityOf, readIdentities } from './effective-identity.js';
import { jsonBody } from './json-body.js';
import { entity } from './odata.js';
import { entityNotFound, invalidRequest, type PowerBiError } from './power-bi-error.js';
import { openReport, openWorkspace } from './rights.js';

const extensions: Record<string, string> = {
  PPTX: '.pptx',
  PDF: '.pdf',
  PNG: '.png',
  IMAGE: '.tiff',
  XLSX: '.xlsx',
  DOCX: '.docx',
  CSV: '.csv',
  XML: '.xml',
  MHTML: '.mhtml',
  ACCESSIBLEPDF: '.pdf',
};

const kept = 24 * 3600 * 1000;

/** Exports of a report to a file: start, status and file. The file contains CSV in every format. */
export function exportsRouter(emulator: Emulator): Router {
  const router = Router();
  const report = '/groups/:group/reports/:report';
  router.post(`${report}/ExportTo`, start(emulator));
  router.get(`${report}/exports/:export`, status(emulator));
  router.get(`${report}/exports/:export/file`, file(emulator));
  return router;
}

function start(emulator: Emulator): RequestHandler {
  return (request, response) => {
    if (request.query.preferClientRouting === 'true') {
      response.redirect(307, `${emulator.url}${request.originalUrl.split('?')[0]}`);
      return;
    }
    const { report } = locate(emulator, request, response);
    const body = jsonBody(emulator, request);
    const { format } = body;
    if (typeof format !== 'string' || !Object.hasOwn(extensions, format))
      throw invalidRequest('Parameter format is missing or invalid');
    const job = {
      ...newJob(emulator, randomBytes(47).toString('base64')),
      reportId: report.id,
      reportName: report.name,
      format,
      file: render(emulator, request, response, body),
    };
    emulator.jobs.exports.set(job.id, job);
    response.status(202).json(entity(emulator, 'exports', view(emulator, job, request)));
  };
}

function status(emulator: Emulator): RequestHandler {
  return (request, response) => {
    const job = find(emulator, request, response);
    const done = emulator.clock.now().getTime() >= job.ends;
    if (!done && emulator.guess('export_retry_after') === 'present') response.set('Retry-After', '1');
    response.status(done ? 200 : 202).json(entity(emulator, 'exports', view(emulator, job, request)));
  };
}

function file(emulator: Emulator): RequestHandler {
  return (request, response) => {
    const job = find(emulator, request, response);
    const now = emulator.clock.now().getTime();
    if (job.fails || now < job.ends || now > job.ends + kept) throw early(emulator);
    response.attachment(`${job.reportName}${extensions[job.format]}`);
    response.type('application/octet-stream').send(Buffer.from(job.file));
  };
}

function view(emulator: Emulator, job: ExportJob, request: Request): Record<string, unknown> {
  const now = emulator.clock.now().getTime();
  const phase = phaseOf(job, now);
  const done = phase === 'Done';
  const path = `/v1.0/myorg/groups/${String(request.params.group)}/reports/${job.reportId}`;
  return {
    id: job.id,
    createdDateTime: new Date(job.started).toISOString(),
    lastActionDateTime: new Date(Math.min(now, job.ends)).toISOString(),
    reportId: job.reportId,
    reportName: job.reportName,
    status: done ? 'Succeeded' : phase,
    percentComplete: percentOf(job, now),
    ...(done && {
      resourceLocation: `${emulator.url}${path}/exports/${encodeURIComponent(job.id)}/file`,
      resourceFileExtension: extensions[job.format],
      expirationTime: new Date(job.ends + kept).toISOString(),
    }),
  };
}

function find(emulator: Emulator, request: Request, response: Response): ExportJob {
  const { report } = locate(emulator, request, response);
  const job = emulator.jobs.exports.get(String(request.params.export));
  if (job?.reportId !== report.id) throw entityNotFound(emulator);
  return job;
}

function locate(
  emulator: Emulator,
  request: Request,
  response: Response,
): { workspace: Workspace; report: Report } {
  const workspace = openWorkspace(emulator, principalOf(response), request.params.group);
  return { workspace, report: openReport(emulator, workspace, request.params.report) };
}

/** The rows of the identity in the request, under the same rules as for an embed token. */
function render(
  emulator: Emulator,
  request: Request,
  response: Response,
  body: Record<string, unknown>,
): string {
  const { report } = locate(emulator, request, response);
  const dataset = report.datasetId ? emulator.content.findDataset(report.datasetId)?.item : undefined;
  const { powerBIReportConfiguration: interactive, paginatedReportConfiguration: paginated } = body;
  const { identities: given } = (interactive ?? paginated ?? {}) as { identities?: unknown };
  const identities = readIdentities(given);
  if (dataset) checkIdentityOf(emulator, principalOf(response), dataset, identities);
  return csv(dataset?.data ?? 'sales', visibleRows(dataset, identityFor(dataset, { identities })));
}

function csv(name: string, rows: Row[]): string {
  const theme = themes[name] ?? themes.sales!;
  const head = [
    'Month',
    theme.category,
    theme.series,
    theme.detail,
    theme.person,
    theme.count,
    theme.measure,
  ];
  const lines = rows.map((row) =>
    [row.month, row.category, row.series, row.detail, row.person, row.count, row.amount].join(','),
  );
  return [head.join(','), ...lines, ''].join('\r\n');
}

export function early(emulator: Emulator): PowerBiError {
  if (emulator.guess('job_result_early') === '404') return entityNotFound(emulator);
  return invalidRequest('The result is not available');
}
