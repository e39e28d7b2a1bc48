import type { Request, Response } from 'express';
import type { AccessRight, Dataset, Workspace } from '../content/model.js';
import { principalOf } from '../core/locals.js';
import type { Emulator } from '../emulator.js';
import { workspaceAt } from './my-workspace.js';
import { checkRight, openDataset, openReport } from './rights.js';

/** The dataset of the path, for a caller who may refresh it. Throws PowerBiError. */
export function refreshable(emulator: Emulator, request: Request, response: Response): Dataset {
  return datasetAt(emulator, request, response, emulator.guess('refresh_right')).dataset;
}

/** The dataset of the path, for a caller with at least this role. Throws PowerBiError. */
export function datasetAt(
  emulator: Emulator,
  request: Request,
  response: Response,
  least: AccessRight,
): { workspace: Workspace; dataset: Dataset } {
  const workspace = workspaceWith(emulator, request, response, least);
  return { workspace, dataset: openDataset(emulator, workspace, request.params.dataset) };
}

/** The report of the path, for a caller who may change it. Throws PowerBiError. */
export function editableReport(emulator: Emulator, request: Request, response: Response) {
  const workspace = editableWorkspace(emulator, request, response);
  return { workspace, report: openReport(emulator, workspace, request.params.report) };
}

/** The workspace of the path, for a caller who may change its content. Throws PowerBiError. */
export function editableWorkspace(emulator: Emulator, request: Request, response: Response): Workspace {
  return workspaceWith(emulator, request, response, emulator.guess('content_right'));
}

function workspaceWith(
  emulator: Emulator,
  request: Request,
  response: Response,
  least: AccessRight,
): Workspace {
  const workspace = workspaceAt(emulator, request, response);
  checkRight(emulator, workspace, principalOf(response), least);
  return workspace;
}
