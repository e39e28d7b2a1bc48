import { randomUUID } from 'node:crypto';
import { Router, type Request, type RequestHandler, type Response } from 'express';
import { dashboardsOf } from '../content/dashboards.js';
import type { Dashboard, Workspace } from '../content/model.js';
import { principalOf } from '../core/locals.js';
import type { Emulator } from '../emulator.js';
import { cloneTile } from './clone-tile.js';
import { openDashboard, openTile } from './dashboard-access.js';
import { dashboardView, tileView, type Place } from './dashboard-views.js';
import { jsonBody } from './json-body.js';
import { workspaceAt } from './my-workspace.js';
import { collection, entity } from './odata.js';
import { invalidRequest } from './power-bi-error.js';
import { checkRight } from './rights.js';

/** Dashboards and their tiles, in a workspace or in My workspace. */
export function dashboardsRouter(emulator: Emulator): Router {
  const router = Router();
  for (const place of ['', '/groups/:group']) {
    const dashboards = `${place}/dashboards`;
    router.get(dashboards, list(emulator));
    router.post(dashboards, create(emulator));
    router.get(`${dashboards}/:dashboard`, get(emulator));
    router.delete(`${dashboards}/:dashboard`, remove(emulator));
    router.get(`${dashboards}/:dashboard/tiles`, listTiles(emulator));
    router.get(`${dashboards}/:dashboard/tiles/:tile`, getTile(emulator));
    router.post(`${dashboards}/:dashboard/tiles/:tile/Clone`, clone(emulator));
  }
  return router;
}

/** Dashboards of a workspace are identified with it in their embed URLs, those of My workspace are not. */
function placeOf(request: Request, { id }: Workspace): Place {
  return request.params.group === undefined ? {} : { groupId: id };
}

function list(emulator: Emulator): RequestHandler {
  return (request, response) => {
    const workspace = workspaceAt(emulator, request, response);
    const place = placeOf(request, workspace);
    const value = dashboardsOf(workspace).map((each) => dashboardView(emulator, place, each));
    response.json(collection(emulator, 'dashboards', value));
  };
}

function get(emulator: Emulator): RequestHandler {
  return (request, response) => {
    const workspace = workspaceAt(emulator, request, response);
    const dashboard = openDashboard(emulator, workspace, request.params.dashboard);
    const view = dashboardView(emulator, placeOf(request, workspace), dashboard);
    response.json(entity(emulator, 'dashboards', view));
  };
}

function create(emulator: Emulator): RequestHandler {
  return (request, response) => {
    const workspace = editable(emulator, request, response);
    const { name } = jsonBody(emulator, request);
    if (typeof name !== 'string' || name === '') throw invalidRequest('Parameter name is missing or invalid');
    const dashboard: Dashboard = { id: randomUUID(), displayName: name, tiles: [] };
    (workspace.dashboards ??= []).push(dashboard);
    workspace.modified = emulator.clock.now().getTime();
    const view = dashboardView(emulator, placeOf(request, workspace), dashboard);
    response.json(entity(emulator, 'dashboards', view));
  };
}

function remove(emulator: Emulator): RequestHandler {
  return (request, response) => {
    const workspace = editable(emulator, request, response);
    const dashboard = openDashboard(emulator, workspace, request.params.dashboard);
    workspace.dashboards = dashboardsOf(workspace).filter((each) => each !== dashboard);
    workspace.modified = emulator.clock.now().getTime();
    response.end();
  };
}

function listTiles(emulator: Emulator): RequestHandler {
  return (request, response) => {
    const workspace = workspaceAt(emulator, request, response);
    const dashboard = openDashboard(emulator, workspace, request.params.dashboard);
    const place = placeOf(request, workspace);
    const value = dashboard.tiles.map((each) => tileView(emulator, place, dashboard, each));
    response.json(collection(emulator, 'tiles', value));
  };
}

function getTile(emulator: Emulator): RequestHandler {
  return (request, response) => {
    const workspace = workspaceAt(emulator, request, response);
    const dashboard = openDashboard(emulator, workspace, request.params.dashboard);
    const tile = openTile(emulator, dashboard, request.params.tile);
    const view = tileView(emulator, placeOf(request, workspace), dashboard, tile);
    response.json(entity(emulator, 'tiles', view));
  };
}

function clone(emulator: Emulator): RequestHandler {
  return (request, response) => {
    const workspace = workspaceAt(emulator, request, response);
    const dashboard = openDashboard(emulator, workspace, request.params.dashboard);
    const tile = openTile(emulator, dashboard, request.params.tile);
    const body = jsonBody(emulator, request);
    const copy = cloneTile(emulator, principalOf(response), { workspace, dashboard, tile }, body);
    const place = copy.workspace.type === 'PersonalGroup' ? {} : { groupId: copy.workspace.id };
    response.json(entity(emulator, 'tiles', tileView(emulator, place, copy.dashboard, copy.tile)));
  };
}

/** A workspace whose content the caller may change. */
function editable(emulator: Emulator, request: Request, response: Response): Workspace {
  const workspace = workspaceAt(emulator, request, response);
  if (workspace.type === 'Workspace') {
    checkRight(emulator, workspace, principalOf(response), emulator.guess('dashboard_right'));
  }
  return workspace;
}
