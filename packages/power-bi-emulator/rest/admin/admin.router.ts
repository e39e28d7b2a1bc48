import { Router, type RequestHandler } from 'express';
import type { Emulator } from '../../emulator.js';
import { switchedOff } from '../bearer.js';
import { activityEventsRouter } from './activity-events.router.js';
import { adminAppsRouter } from './admin-apps.router.js';
import { adminCapacitiesRouter } from './admin-capacities.router.js';
import { adminDashboardsRouter } from './admin-dashboards.router.js';
import { adminDatasetsRouter } from './admin-datasets.router.js';
import { adminGroupsRouter } from './admin-groups.router.js';
import { adminImportsRouter } from './admin-imports.router.js';
import { adminUsersRouter } from './admin-users.router.js';
import { adminWorkspacesRouter } from './admin-workspaces.router.js';
import { refreshablesRouter } from './refreshables.router.js';
import { scannerRouter } from './scanner.router.js';
import { unusedRouter } from './unused.router.js';

/** The admin API, which has a tenant setting of its own. */
export function adminRouter(emulator: Emulator): Router {
  const router = Router();
  router.use(allowed(emulator));
  router.use(adminGroupsRouter(emulator));
  router.use(refreshablesRouter(emulator, { ofTenant: true }));
  router.use(scannerRouter(emulator));
  router.use(activityEventsRouter(emulator));
  router.use(adminDatasetsRouter(emulator));
  router.use(adminDashboardsRouter(emulator));
  router.use(adminAppsRouter(emulator));
  router.use(adminCapacitiesRouter(emulator));
  router.use(adminImportsRouter(emulator));
  router.use(adminUsersRouter(emulator));
  router.use(adminWorkspacesRouter(emulator));
  router.use(unusedRouter(emulator));
  return router;
}

function allowed(emulator: Emulator): RequestHandler {
  return (_request, _response, next) => {
    if (!emulator.settings.admin_switch) throw switchedOff(emulator);
    next();
  };
}
