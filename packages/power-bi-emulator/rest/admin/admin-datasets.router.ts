import { Router, type RequestHandler } from 'express';
import type { Workspace } from '../../content/model.js';
import type { Emulator } from '../../emulator.js';
import { datasourcesOf } from '../dataset-details.js';
import { collection, selected } from '../odata.js';
import { datasetOf } from '../presenters.js';
import { datasetAt, workspaceOf } from './admin-items.js';
import { itemUsers } from './item-users.js';

/** Every dataset of the tenant. */
export function adminDatasetsRouter(emulator: Emulator): Router {
  const router = Router();
  router.get('/datasets', list(emulator));
  router.get('/groups/:group/datasets', listInGroup(emulator));
  router.get('/datasets/:dataset/users', listUsers(emulator));
  router.get('/datasets/:dataset/datasources', listDatasources(emulator));
  return router;
}

function list(emulator: Emulator): RequestHandler {
  return (request, response) => {
    const all = emulator.content.workspaces.flatMap((each) => adminDatasets(emulator, each));
    response.json(collection(emulator, 'datasets', selected(all, request.query)));
  };
}

function listInGroup(emulator: Emulator): RequestHandler {
  return (request, response) => {
    const all = adminDatasets(emulator, workspaceOf(emulator, request));
    response.json(collection(emulator, 'datasets', selected(all, request.query)));
  };
}

function listUsers(emulator: Emulator): RequestHandler {
  return (request, response) => {
    const { workspace } = datasetAt(emulator, request);
    response.json(collection(emulator, 'users', itemUsers(emulator, 'Dataset', workspace)));
  };
}

function listDatasources(emulator: Emulator): RequestHandler {
  return (request, response) => {
    const { item } = datasetAt(emulator, request);
    response.json(collection(emulator, 'datasources', datasourcesOf(item)));
  };
}

export function adminDatasets(emulator: Emulator, workspace: Workspace): Record<string, unknown>[] {
  return workspace.datasets.map((each) => ({
    ...datasetOf(emulator, each, 'Admin'),
    workspaceId: workspace.id,
  }));
}
