import type { Request, RequestHandler } from 'express';
import type { Placed } from '../../content/content.js';
import { findDashboard } from '../../content/dashboards.js';
import type { Dashboard, Dataset, Report, Workspace } from '../../content/model.js';
import type { Emulator } from '../../emulator.js';
import { switchedOff } from '../bearer.js';
import { entityNotFound } from '../power-bi-error.js';
import { checkGuid } from '../rights.js';

/** An item of the tenant by its id in the path, regardless of roles. Each throws PowerBiError. */
export function workspaceOf(emulator: Emulator, request: Request): Workspace {
  const id = checkGuid(emulator, request.params.group, 'groupId');
  return existing(emulator, emulator.content.findWorkspace(id));
}

export function reportAt(emulator: Emulator, request: Request): Placed<Report> {
  const id = checkGuid(emulator, request.params.report, 'reportId');
  return existing(emulator, emulator.content.findReport(id));
}

export function datasetAt(emulator: Emulator, request: Request): Placed<Dataset> {
  const id = checkGuid(emulator, request.params.dataset, 'datasetId');
  return existing(emulator, emulator.content.findDataset(id));
}

export function dashboardAt(emulator: Emulator, request: Request): Placed<Dashboard> {
  const id = checkGuid(emulator, request.params.dashboard, 'dashboardId');
  return existing(emulator, findDashboard(emulator.content, id));
}

export function existing<T>(emulator: Emulator, found: T | undefined): T {
  if (!found) throw entityNotFound(emulator);
  return found;
}

/** A second tenant setting lets service principals call admin APIs that change something. */
export function updating(emulator: Emulator): RequestHandler {
  return (_request, _response, next) => {
    if (!emulator.settings.admin_update_switch) throw switchedOff(emulator);
    next();
  };
}
