import { Router, type RequestHandler } from 'express';
import { dashboardsOf } from '../../content/dashboards.js';
import type { Dashboard, Workspace } from '../../content/model.js';
import type { Emulator } from '../../emulator.js';
import { dashboardView, tileView } from '../dashboard-views.js';
import { collection, selected } from '../odata.js';
import { invalidRequest } from '../power-bi-error.js';
import { dashboardAt, reportAt, workspaceOf } from './admin-items.js';
import { itemUsers } from './item-users.js';

type Json = Record<string, unknown>;

/** Every dashboard of the tenant; and the users and subscriptions of dashboards and reports. */
export function adminDashboardsRouter(emulator: Emulator): Router {
  const router = Router();
  router.get('/dashboards', list(emulator));
  router.get('/groups/:group/dashboards', listInGroup(emulator));
  router.get('/dashboards/:dashboard/tiles', listTiles(emulator));
  router.get('/dashboards/:dashboard/users', listUsers(emulator));
  router.get('/dashboards/:dashboard/subscriptions', listSubscriptions(emulator));
  router.get('/reports/:report/users', listReportUsers(emulator));
  router.get('/reports/:report/subscriptions', listReportSubscriptions(emulator));
  return router;
}

function list(emulator: Emulator): RequestHandler {
  return (request, response) => {
    const { $expand } = request.query;
    if ($expand !== undefined && $expand !== 'tiles') {
      throw invalidRequest('Parameter $expand supports tiles only');
    }
    const all = emulator.content.workspaces.flatMap((workspace) =>
      adminDashboards(emulator, workspace, { withTiles: $expand === 'tiles' }),
    );
    response.json(collection(emulator, 'dashboards', selected(all, request.query)));
  };
}

function listInGroup(emulator: Emulator): RequestHandler {
  return (request, response) => {
    const all = adminDashboards(emulator, workspaceOf(emulator, request));
    response.json(collection(emulator, 'dashboards', selected(all, request.query)));
  };
}

export function adminDashboards(
  emulator: Emulator,
  workspace: Workspace,
  { withTiles = false } = {},
): Json[] {
  return dashboardsOf(workspace).map((each) => ({
    ...dashboardView(emulator, { groupId: workspace.id }, each),
    workspaceId: workspace.id,
    ...(withTiles && { tiles: tiles(emulator, workspace, each) }),
  }));
}

function listTiles(emulator: Emulator): RequestHandler {
  return (request, response) => {
    const { item, workspace } = dashboardAt(emulator, request);
    response.json(collection(emulator, 'tiles', tiles(emulator, workspace, item)));
  };
}

function tiles(emulator: Emulator, { id }: Workspace, dashboard: Dashboard): Json[] {
  return dashboard.tiles.map((each) => tileView(emulator, { groupId: id }, dashboard, each));
}

function listUsers(emulator: Emulator): RequestHandler {
  return (request, response) => {
    const { workspace } = dashboardAt(emulator, request);
    response.json(collection(emulator, 'users', itemUsers(emulator, 'Dashboard', workspace)));
  };
}

function listReportUsers(emulator: Emulator): RequestHandler {
  return (request, response) => {
    const { workspace } = reportAt(emulator, request);
    response.json(collection(emulator, 'users', itemUsers(emulator, 'Report', workspace)));
  };
}

/** The emulator sends no email: there are no subscriptions. */
function listSubscriptions(emulator: Emulator): RequestHandler {
  return (request, response) => {
    dashboardAt(emulator, request);
    response.json(collection(emulator, 'subscriptions', []));
  };
}

function listReportSubscriptions(emulator: Emulator): RequestHandler {
  return (request, response) => {
    reportAt(emulator, request);
    response.json(collection(emulator, 'subscriptions', []));
  };
}
