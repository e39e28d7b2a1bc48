import { randomUUID } from 'node:crypto';
import { Router, type Request, type RequestHandler } from 'express';
import { dashboardsOf } from '../../content/dashboards.js';
import type { Workspace } from '../../content/model.js';
import { newJob, phaseOf, type ScanJob } from '../../core/jobs.js';
import type { Emulator } from '../../emulator.js';
import { early } from '../exports.router.js';
import { memberView } from '../group-users.router.js';
import { jsonBody } from '../json-body.js';
import { entityNotFound, invalidRequest } from '../power-bi-error.js';
import { groupOf } from '../presenters.js';
import { checkGuid } from '../rights.js';
import { authoring } from './admin-groups.router.js';

const mostWorkspaces = 100;
const minute = 60_000;
const day = 24 * 60 * minute;

type Json = Record<string, unknown>;

/** The metadata scanner: which workspaces changed, and the content of up to 100 of them. */
export function scannerRouter(emulator: Emulator): Router {
  const router = Router();
  router.post('/workspaces/getInfo', start(emulator));
  router.get('/workspaces/scanStatus/:scan', status(emulator));
  router.get('/workspaces/scanResult/:scan', result(emulator));
  router.get('/workspaces/modified', modified(emulator));
  return router;
}

function start(emulator: Emulator): RequestHandler {
  return (request, response) => {
    const { workspaces } = jsonBody(emulator, request);
    if (!Array.isArray(workspaces) || workspaces.length < 1 || workspaces.length > mostWorkspaces) {
      throw invalidRequest(`Between 1 and ${mostWorkspaces} workspaces are required`);
    }
    const scan = {
      ...newJob(emulator, randomUUID()),
      workspaces: workspaces.map((id) => checkGuid(emulator, id, 'workspaces')),
    };
    emulator.jobs.scans.set(scan.id, scan);
    response.location(`${emulator.url}/v1.0/myorg/admin/workspaces/scanStatus/${scan.id}`);
    response.status(202).json(view(emulator, scan));
  };
}

function status(emulator: Emulator): RequestHandler {
  return (request, response) => response.json(view(emulator, find(emulator, request)));
}

function result(emulator: Emulator): RequestHandler {
  return (request, response) => {
    const scan = find(emulator, request);
    const now = emulator.clock.now().getTime();
    if (scan.fails || now < scan.ends || now > scan.ends + day) throw early(emulator);
    const found = scan.workspaces.map((id) => emulator.content.findWorkspace(id));
    const withUsers = request.query.getArtifactUsers === 'true';
    response.json({
      workspaces: found.filter((each) => each !== undefined).map((each) => info(emulator, each, withUsers)),
      datasourceInstances: [],
      misconfiguredDatasourceInstances: [],
    });
  };
}

function modified(emulator: Emulator): RequestHandler {
  return (request, response) => {
    const since = readSince(emulator, request.query.modifiedSince);
    const personal = request.query.excludePersonalWorkspaces !== 'true';
    const inactive = request.query.excludeInActiveWorkspaces !== 'true';
    const list = emulator.content.workspaces.filter(
      (each) =>
        (each.modified ?? 0) >= since &&
        (personal || each.type === 'Workspace') &&
        (inactive || each.state === 'Active'),
    );
    response.json(list.map(({ id }) => ({ id })));
  };
}

/** Without a value, everything; otherwise the time must be 30 minutes to 30 days ago. Throws PowerBiError. */
function readSince(emulator: Emulator, value: unknown): number {
  if (value === undefined) return 0;
  const since = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  const back = emulator.clock.now().getTime() - since;
  if (back >= 30 * minute && back <= 30 * day) return since;
  throw invalidRequest('modifiedSince must be from 30 minutes to 30 days ago');
}

function find(emulator: Emulator, request: Request): ScanJob {
  const scan = emulator.jobs.scans.get(checkGuid(emulator, request.params.scan, 'scanId').toLowerCase());
  if (!scan) throw entityNotFound(emulator);
  return scan;
}

function view(emulator: Emulator, scan: ScanJob): Json {
  const phase = phaseOf(scan, emulator.clock.now().getTime());
  const running = emulator.guess('scan_running') === 'shown' ? 'Running' : 'NotStarted';
  const states = {
    NotStarted: 'NotStarted',
    Running: running,
    Done: 'Succeeded',
    Failed: 'Failed',
    Cancelled: 'Failed',
  };
  const error = { code: 'ScanFailed', message: 'The setting jobs_fail is true' };
  return {
    id: scan.id,
    createdDateTime: new Date(scan.started).toISOString(),
    status: states[phase],
    ...(phase === 'Failed' && { error }),
  };
}

/** A workspace in the scanner's format: its reports have dates but no embed URL. */
function info(emulator: Emulator, workspace: Workspace, withUsers: boolean): Json {
  const { isReadOnly: _isReadOnly, ...group } = groupOf(emulator, workspace);
  return {
    ...group,
    ...(workspace.description && { description: workspace.description }),
    type: workspace.type,
    state: workspace.state,
    reports: workspace.reports.map((report) => ({
      id: report.id,
      name: report.name,
      reportType: report.reportType,
      ...(report.datasetId && { datasetId: report.datasetId }),
      ...authoring,
    })),
    datasets: workspace.datasets.map(({ id, name, configuredBy, createdDate }) => ({
      id,
      name,
      configuredBy,
      createdDate,
      targetStorageMode: emulator.guess('target_storage_mode'),
    })),
    dashboards: dashboardsOf(workspace).map(({ id, displayName, isReadOnly = false }) => ({
      id,
      displayName,
      isReadOnly,
    })),
    dataflows: [],
    ...(withUsers && { users: workspace.members.map(memberView) }),
  };
}
