import { Router } from 'express';
import type { Emulator } from '../emulator.js';
import { adminRouter } from './admin/admin.router.js';
import { refreshablesRouter } from './admin/refreshables.router.js';
import { appsRouter } from './apps.router.js';
import { capacitiesRouter } from './capacities.router.js';
import { catalogueRouter } from './catalogue.router.js';
import { dashboardTokensRouter } from './dashboard-tokens.router.js';
import { dashboardsRouter } from './dashboards.router.js';
import { executeQueriesRouter } from './execute-queries.router.js';
import { exportsRouter } from './exports.router.js';
import { featuresRouter } from './features.router.js';
import { generateTokenV1Router } from './generate-token-v1.js';
import { generateTokenV2 } from './generate-token-v2.js';
import { groupUsersRouter } from './group-users.router.js';
import { importsRouter } from './imports.router.js';
import { profilesRouter } from './profiles.router.js';
import { refreshesRouter } from './refreshes.router.js';
import { datasetsRouter } from './datasets.router.js';
import { reportsRouter } from './reports.router.js';
import { schedulesRouter } from './schedules.router.js';
import { workspacesRouter } from './workspaces.router.js';

/** Every route below `/v1.0/myorg`, by its prefix. */
export function restParts(emulator: Emulator): Record<string, Router> {
  return { '': userRouter(emulator), '/admin': adminRouter(emulator) };
}

function userRouter(emulator: Emulator): Router {
  const router = Router();
  router.use(catalogueRouter(emulator));
  router.use(workspacesRouter(emulator));
  router.use(groupUsersRouter(emulator));
  router.use(profilesRouter(emulator));
  router.use(exportsRouter(emulator));
  router.use(refreshesRouter(emulator));
  router.use(schedulesRouter(emulator));
  router.use(reportsRouter(emulator));
  router.use(datasetsRouter(emulator));
  router.use(executeQueriesRouter(emulator));
  router.use(importsRouter(emulator));
  router.use(generateTokenV1Router(emulator));
  router.use(dashboardsRouter(emulator));
  router.use(dashboardTokensRouter(emulator));
  router.use(appsRouter(emulator));
  router.use(refreshablesRouter(emulator));
  router.use(capacitiesRouter(emulator));
  router.use(featuresRouter(emulator));
  router.post('/GenerateToken', generateTokenV2(emulator));
  return router;
}
