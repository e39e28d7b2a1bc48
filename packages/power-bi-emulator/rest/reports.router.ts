import { randomUUID } from 'node:crypto';
import { Router, type RequestHandler } from 'express';
import type { Report, Workspace } from '../content/model.js';
import { principalOf } from '../core/locals.js';
import type { Emulator } from '../emulator.js';
import type { Principal } from './bearer.js';
import { datasourcesOf } from './dataset-details.js';
import { editableReport } from './dataset-access.js';
import { jsonBody } from './json-body.js';
import { everywhere, myWorkspace, workspaceAt } from './my-workspace.js';
import { collection, entity } from './odata.js';
import { entityNotFound, invalidRequest, notAuthorized } from './power-bi-error.js';
import { reportOf } from './presenters.js';
import { reportFile } from './report-file.js';
import { checkGuid, checkRight, isVisible, openReport, openWorkspace } from './rights.js';

const none = '00000000-0000-0000-0000-000000000000';

/** Changes of reports, and their files. */
export function reportsRouter(emulator: Emulator): Router {
  const router = Router();
  const report = '/reports/:report';
  router.delete(everywhere(report), remove(emulator));
  router.post(everywhere(`${report}/Clone`), clone(emulator));
  router.post(everywhere(`${report}/Rebind`), rebind(emulator));
  router.get(everywhere(`${report}/Export`), download(emulator));
  router.post(everywhere(`${report}/UpdateReportContent`), replace(emulator));
  router.get(everywhere(`${report}/datasources`), datasources(emulator));
  router.post(`/groups/:group${report}/Default.TakeOver`, takeOver(emulator));
  return router;
}

function remove(emulator: Emulator): RequestHandler {
  return (request, response) => {
    const { workspace, report } = editableReport(emulator, request, response);
    workspace.reports.splice(workspace.reports.indexOf(report), 1);
    emulator.content.changed(workspace, emulator.clock.now().getTime());
    response.end();
  };
}

function clone(emulator: Emulator): RequestHandler {
  return (request, response) => {
    const principal = principalOf(response);
    const { workspace, report } = editableReport(emulator, request, response);
    const { name, targetModelId, targetWorkspaceId } = jsonBody(emulator, request);
    if (typeof name !== 'string' || name === '') throw invalidRequest('Parameter name is missing or invalid');
    const target = targetOf(emulator, principal, workspace, targetWorkspaceId);
    checkRight(emulator, target, principal, emulator.guess('content_right'));
    const datasetId =
      targetModelId == null ? report.datasetId : visibleDataset(emulator, principal, targetModelId);
    const copy: Report = {
      ...structuredClone(report),
      id: randomUUID(),
      name,
      originalReportId: report.id,
      ...(datasetId !== undefined && { datasetId }),
    };
    target.reports.push(copy);
    emulator.content.changed(target, emulator.clock.now().getTime());
    response.json(entity(emulator, 'reports', reportOf(emulator, target, copy)));
  };
}

/** Without an id the same workspace; the empty id is My workspace. */
function targetOf(emulator: Emulator, principal: Principal, workspace: Workspace, id: unknown): Workspace {
  if (id === undefined || id === null) return workspace;
  return id === none ? myWorkspace(emulator, principal) : openWorkspace(emulator, principal, id);
}

function visibleDataset(emulator: Emulator, principal: Principal, id: unknown): string {
  const found = emulator.content.findDataset(checkGuid(emulator, id, 'datasetId'));
  if (!found) throw entityNotFound(emulator);
  const isMine =
    found.workspace.type === 'PersonalGroup' && myWorkspace(emulator, principal) === found.workspace;
  if (!isMine && !isVisible(emulator, found.workspace, principal)) throw notAuthorized();
  return found.item.id;
}

function rebind(emulator: Emulator): RequestHandler {
  return (request, response) => {
    const { workspace, report } = editableReport(emulator, request, response);
    if (report.reportType === 'PaginatedReport') throw invalidRequest('A paginated report cannot be rebound');
    report.datasetId = visibleDataset(emulator, principalOf(response), jsonBody(emulator, request).datasetId);
    emulator.content.changed(workspace, emulator.clock.now().getTime());
    response.end();
  };
}

function download(emulator: Emulator): RequestHandler {
  return (request, response) => {
    const { report } = editableReport(emulator, request, response);
    const { extension, bytes } = reportFile(report);
    response.attachment(`${report.name}${extension}`);
    response.type('application/zip').send(bytes);
  };
}

/** Takes over the pages of another report and keeps the dataset. */
function replace(emulator: Emulator): RequestHandler {
  return (request, response) => {
    const { workspace, report } = editableReport(emulator, request, response);
    const { sourceReport, sourceType } = jsonBody(emulator, request);
    if (sourceType !== 'ExistingReport') throw invalidRequest('Parameter sourceType is missing or invalid');
    const { sourceReportId, sourceWorkspaceId } = (sourceReport ?? {}) as Record<string, unknown>;
    const from = targetOf(emulator, principalOf(response), workspace, sourceWorkspaceId);
    const source = openReport(emulator, from, sourceReportId);
    if (source.reportType !== report.reportType) throw invalidRequest('The reports are of different types');
    report.pages = structuredClone(source.pages);
    emulator.content.changed(workspace, emulator.clock.now().getTime());
    response.json(entity(emulator, 'reports', reportOf(emulator, workspace, report)));
  };
}

function datasources(emulator: Emulator): RequestHandler {
  return (request, response) => {
    const workspace = workspaceAt(emulator, request, response);
    const { datasetId } = openReport(emulator, workspace, request.params.report);
    const dataset = datasetId === undefined ? undefined : emulator.content.findDataset(datasetId)?.item;
    response.json(collection(emulator, 'datasources', dataset ? datasourcesOf(dataset) : []));
  };
}

/** Only a paginated report has data sources of its own to take over. */
function takeOver(emulator: Emulator): RequestHandler {
  return (request, response) => {
    const { report } = editableReport(emulator, request, response);
    if (report.reportType !== 'PaginatedReport') throw invalidRequest('The report is not a paginated report');
    response.end();
  };
}
