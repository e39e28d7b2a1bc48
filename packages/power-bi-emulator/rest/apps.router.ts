import { Router, type Request, type RequestHandler, type Response } from 'express';
import { findApp } from '../content/apps.js';
import { dashboardsOf } from '../content/dashboards.js';
import type { App, Report, Workspace } from '../content/model.js';
import { principalOf } from '../core/locals.js';
import type { Emulator } from '../emulator.js';
import { appView } from './app-views.js';
import type { Principal } from './bearer.js';
import { openDashboard, openTile } from './dashboard-access.js';
import { dashboardView, tileView } from './dashboard-views.js';
import { isServicePrincipal, notForApplications } from './my-workspace.js';
import { collection, entity } from './odata.js';
import { entityNotFound, notAuthorized } from './power-bi-error.js';
import { reportOf } from './presenters.js';
import { checkGuid, isVisible, openReport } from './rights.js';

type Json = Record<string, unknown>;

/** Installed apps and their content. Power BI does not serve them to service principals. */
export function appsRouter(emulator: Emulator): Router {
  const router = Router();
  const item = <T>(show: (opened: Opened, request: Request) => T) => showing(emulator, show);
  router.get('/apps', list(emulator));
  router.get(
    '/apps/:app',
    item(({ app }) => entity(emulator, 'apps', appView(app))),
  );
  router.get(
    '/apps/:app/reports',
    item((opened) => {
      const value = opened.workspace.reports.map((each) => appReport(emulator, opened, each));
      return collection(emulator, 'reports', value);
    }),
  );
  router.get(
    '/apps/:app/reports/:report',
    item((opened, { params }) => {
      const report = openReport(emulator, opened.workspace, params.report);
      return entity(emulator, 'reports', appReport(emulator, opened, report));
    }),
  );
  router.get(
    '/apps/:app/dashboards',
    item(({ app, workspace }) => {
      const value = dashboardsOf(workspace).map((each) => dashboardView(emulator, { appId: app.id }, each));
      return collection(emulator, 'dashboards', value);
    }),
  );
  router.get(
    '/apps/:app/dashboards/:dashboard',
    item(({ app, workspace }, { params }) => {
      const dashboard = openDashboard(emulator, workspace, params.dashboard);
      return entity(emulator, 'dashboards', dashboardView(emulator, { appId: app.id }, dashboard));
    }),
  );
  router.get(
    '/apps/:app/dashboards/:dashboard/tiles',
    item(({ app, workspace }, { params }) => {
      const dashboard = openDashboard(emulator, workspace, params.dashboard);
      const value = dashboard.tiles.map((each) => tileView(emulator, { appId: app.id }, dashboard, each));
      return collection(emulator, 'tiles', value);
    }),
  );
  router.get(
    '/apps/:app/dashboards/:dashboard/tiles/:tile',
    item(({ app, workspace }, { params }) => {
      const dashboard = openDashboard(emulator, workspace, params.dashboard);
      const tile = openTile(emulator, dashboard, params.tile);
      return entity(emulator, 'tiles', tileView(emulator, { appId: app.id }, dashboard, tile));
    }),
  );
  return router;
}

interface Opened {
  app: App;
  workspace: Workspace;
}

function list(emulator: Emulator): RequestHandler {
  return (_request, response) => {
    const principal = principalOf(response);
    checkUser(emulator, principal);
    const apps = emulator.content.apps.filter((each) => workspaceOf(emulator, principal, each) !== undefined);
    response.json(collection(emulator, 'apps', apps.map(appView)));
  };
}

function showing<T>(emulator: Emulator, show: (opened: Opened, request: Request) => T): RequestHandler {
  return (request, response) => response.json(show(open(emulator, request, response), request));
}

function open(emulator: Emulator, request: Request, response: Response): Opened {
  checkUser(emulator, principalOf(response));
  const app = findApp(emulator.content, checkGuid(emulator, request.params.app, 'appId'));
  const workspace = app && workspaceOf(emulator, principalOf(response), app);
  if (!app || !workspace) throw entityNotFound(emulator);
  return { app, workspace };
}

/** The workspace behind an app that the caller has installed: as a member of the workspace. */
function workspaceOf(emulator: Emulator, principal: Principal, { workspaceId }: App): Workspace | undefined {
  const workspace = emulator.content.findWorkspace(workspaceId);
  return workspace && isVisible(emulator, workspace, principal) ? workspace : undefined;
}

function checkUser(emulator: Emulator, principal: Principal): void {
  const guess = emulator.guess('apps_of_principal');
  if (guess === 'served' || !isServicePrincipal(emulator, principal)) return;
  throw guess === '401' ? notAuthorized() : notForApplications();
}

function appReport(emulator: Emulator, { app, workspace }: Opened, report: Report): Json {
  const view = reportOf(emulator, workspace, report);
  const embedUrl = String(view.embedUrl).replace(`groupId=${workspace.id}`, `appId=${app.id}`);
  const webUrl = String(view.webUrl).replace(`/groups/${workspace.id}/`, `/groups/me/apps/${app.id}/`);
  return { ...view, appId: app.id, webUrl, embedUrl };
}
