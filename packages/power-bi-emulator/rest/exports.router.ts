import { randomBytes } from 'node:crypto';
import { Router, type Request, type RequestHandler, type Response } from 'express';
import type { Report, Workspace } from '../content/model.js';
import { newJob, percentOf, phaseOf, type ExportJob } from '../core/jobs.js';
import { principalOf } from '../core/locals.js';
import { EmbedError } from '../embed/embed-error.js';
import { rowsFor } from '../embed/open-report.js';
import { identityFor } from '../embed/row-security.js';
import type { Emulator } from '../emulator.js';
import type { Principal } from './bearer.js';
import { checkIdentityOf } from './effective-identity.js';
import { exportCapacity, startTime } from './export-capacity.js';
import { exportFile } from './export-file.js';
import { type ExportRequest, labelMessage, readExportRequest } from './export-request.js';
import { jsonBody } from './json-body.js';
import { everywhere, workspaceAt } from './my-workspace.js';
import { entity } from './odata.js';
import { coded, entityNotFound, invalidRequest, type PowerBiError } from './power-bi-error.js';
import { openReport } from './rights.js';

const kept = 24 * 3600 * 1000;

/** Exports of a report to a file: start, status and file, which names the effective identity. */
export function exportsRouter(emulator: Emulator): Router {
  const router = Router();
  router.post(everywhere('/reports/:report/ExportTo'), start(emulator));
  router.get(everywhere('/reports/:report/exports/:export'), status(emulator));
  router.get(everywhere('/reports/:report/exports/:export/file'), file(emulator));
  return router;
}

function start(emulator: Emulator): RequestHandler {
  return (request, response) => {
    if (request.query.preferClientRouting === 'true') {
      response.redirect(307, `${emulator.url}${request.originalUrl.split('?')[0]}`);
      return;
    }
    const { workspace, report } = locate(emulator, request, response);
    const requested = readExportRequest(emulator, report, jsonBody(emulator, request));
    const capacityId = exportCapacity(emulator, workspace);
    if (report.sensitivityLabel !== undefined && emulator.guess('export_label') === '403') {
      throw coded(403, 'SensitivityLabelNotSupported', labelMessage);
    }
    const size = requested.pages.length;
    const waiting = startTime(emulator, capacityId, size);
    const { file, failure = requested.failure } = render(emulator, principalOf(response), report, requested);
    const job: ExportJob = {
      ...newJob(emulator, randomBytes(47).toString('base64'), waiting),
      ...(failure && { fails: true, failure }),
      reportId: report.id,
      reportName: report.name,
      capacityId,
      size,
      extension: requested.extension,
      file,
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
    const { failed_export_retry_seconds: again } = emulator.settings;
    if (done && job.fails && again !== null) response.set('Retry-After', String(again));
    response.status(done ? 200 : 202).json(entity(emulator, 'exports', view(emulator, job, request)));
  };
}

function file(emulator: Emulator): RequestHandler {
  return (request, response) => {
    const job = find(emulator, request, response);
    const now = emulator.clock.now().getTime();
    if (job.fails || now < job.ends || now > job.ends + kept) throw early(emulator);
    response.attachment(`${job.reportName}${job.extension}`);
    response.type('application/octet-stream').send(job.file);
  };
}

function view(emulator: Emulator, job: ExportJob, request: Request): Record<string, unknown> {
  const now = emulator.clock.now().getTime();
  const phase = phaseOf(job, now);
  const done = phase === 'Done';
  const { group } = request.params;
  const path = `/v1.0/myorg${group === undefined ? '' : `/groups/${String(group)}`}/reports/${job.reportId}`;
  return {
    id: job.id,
    createdDateTime: new Date(job.started).toISOString(),
    lastActionDateTime: new Date(Math.min(now, job.ends)).toISOString(),
    reportId: job.reportId,
    reportName: job.reportName,
    status: done ? 'Succeeded' : phase,
    percentComplete: percentOf(job, now),
    ...(phase === 'Failed' && job.failure && { error: job.failure }),
    ...(done && {
      resourceLocation: `${emulator.url}${path}/exports/${encodeURIComponent(job.id)}/file`,
      resourceFileExtension: job.extension,
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
  const workspace = workspaceAt(emulator, request, response);
  return { workspace, report: openReport(emulator, workspace, request.params.report) };
}

type Rendered = Pick<ExportJob, 'file' | 'failure'>;

/** The file for the identity in the request, under the same rules as for an embed token, or why its query fails. */
function render(emulator: Emulator, principal: Principal, report: Report, request: ExportRequest): Rendered {
  const dataset = report.datasetId ? emulator.content.findDataset(report.datasetId)?.item : undefined;
  const { identities } = request;
  if (dataset) checkIdentityOf(emulator, principal, dataset, identities);
  const identity = identityFor(dataset, { identities });
  try {
    const rows = rowsFor(dataset, identity);
    return {
      file: exportFile({ name: report.name, data: dataset?.data ?? 'sales', request, identity, rows }),
    };
  } catch (error) {
    if (!(error instanceof EmbedError)) throw error;
    return { file: Buffer.alloc(0), failure: { code: error.message, message: error.detailedMessage } };
  }
}

export function early(emulator: Emulator): PowerBiError {
  if (emulator.guess('job_result_early') === '404') return entityNotFound(emulator);
  return invalidRequest('The result is not available');
}
