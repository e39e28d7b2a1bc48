import { Router, type RequestHandler } from 'express';
import { principalOf } from '../core/locals.js';
import type { Emulator } from '../emulator.js';
import { everywhere, workspaceAt } from './my-workspace.js';
import { collection, entity, selected } from './odata.js';
import { datasetOf, groupOf, optionalGroupFields, reportOf } from './presenters.js';
import { checkGuid, isVisible, openDataset, openReport, openWorkspace, rightIn } from './rights.js';
import { entityNotFound, notAuthorized } from './power-bi-error.js';

/** Workspaces, their reports and their datasets, as visible to a user or service principal. Reads of My workspace too. */
export function catalogueRouter(emulator: Emulator): Router {
  const router = Router();
  router.get('/groups', listGroups(emulator));
  router.get('/groups/:group', getGroup(emulator));
  router.get(everywhere('/reports'), listReports(emulator));
  router.get(everywhere('/reports/:report'), getReport(emulator));
  router.get(everywhere('/reports/:report/pages'), listPages(emulator));
  router.get(everywhere('/reports/:report/pages/:page'), getPage(emulator));
  router.get(everywhere('/datasets'), listDatasets(emulator));
  router.get('/groups/:group/datasets/:dataset', getDatasetInGroup(emulator));
  router.get('/datasets/:dataset', getDataset(emulator));
  return router;
}

function listGroups(emulator: Emulator): RequestHandler {
  return (request, response) => {
    const principal = principalOf(response);
    const groups = emulator.content.workspaces
      .filter((each) => isVisible(emulator, each, principal))
      .map((each) => groupOf(emulator, each));
    response.json(collection(emulator, 'groups', selected(groups, request.query, 5000, optionalGroupFields)));
  };
}

function getGroup(emulator: Emulator): RequestHandler {
  return (request, response) => {
    const workspace = openWorkspace(emulator, principalOf(response), request.params.group);
    response.json(entity(emulator, 'groups', groupOf(emulator, workspace)));
  };
}

function listReports(emulator: Emulator): RequestHandler {
  return (request, response) => {
    const workspace = workspaceAt(emulator, request, response);
    const reports = workspace.reports.map((each) => reportOf(emulator, workspace, each));
    response.json(collection(emulator, `groups/${workspace.id}/reports`, reports));
  };
}

function getReport(emulator: Emulator): RequestHandler {
  return (request, response) => {
    const workspace = workspaceAt(emulator, request, response);
    const report = openReport(emulator, workspace, request.params.report);
    response.json(entity(emulator, `groups/${workspace.id}/reports`, reportOf(emulator, workspace, report)));
  };
}

function listPages(emulator: Emulator): RequestHandler {
  return (request, response) => {
    const workspace = workspaceAt(emulator, request, response);
    const { id, pages } = openReport(emulator, workspace, request.params.report);
    const value = pages.map((page, order) => ({ ...page, order }));
    response.json(collection(emulator, `groups/${workspace.id}/reports/${id}/pages`, value));
  };
}

function getPage(emulator: Emulator): RequestHandler {
  return (request, response) => {
    const workspace = workspaceAt(emulator, request, response);
    const { id, pages } = openReport(emulator, workspace, request.params.report);
    const order = pages.findIndex(({ name }) => name === request.params.page);
    if (order < 0) throw entityNotFound(emulator);
    response.json(entity(emulator, `groups/${workspace.id}/reports/${id}/pages`, { ...pages[order], order }));
  };
}

function listDatasets(emulator: Emulator): RequestHandler {
  return (request, response) => {
    const workspace = workspaceAt(emulator, request, response);
    const right = rightIn(emulator, workspace, principalOf(response));
    const datasets = workspace.datasets.map((each) => datasetOf(emulator, each, right));
    response.json(collection(emulator, `groups/${workspace.id}/datasets`, datasets));
  };
}

function getDatasetInGroup(emulator: Emulator): RequestHandler {
  return (request, response) => {
    const workspace = workspaceAt(emulator, request, response);
    const dataset = openDataset(emulator, workspace, request.params.dataset);
    const right = rightIn(emulator, workspace, principalOf(response));
    response.json(entity(emulator, `groups/${workspace.id}/datasets`, datasetOf(emulator, dataset, right)));
  };
}

function getDataset(emulator: Emulator): RequestHandler {
  return (request, response) => {
    const found = emulator.content.findDataset(checkGuid(emulator, request.params.dataset, 'datasetId'));
    if (!found) throw entityNotFound(emulator);
    if (!isVisible(emulator, found.workspace, principalOf(response))) throw notAuthorized();
    const right = rightIn(emulator, found.workspace, principalOf(response));
    response.json(entity(emulator, 'datasets', datasetOf(emulator, found.item, right)));
  };
}
