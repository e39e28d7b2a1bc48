import { Router, type ErrorRequestHandler } from 'express';
import type { Emulator } from '../emulator.js';
import { bearer } from './bearer.js';
import { catalogueRouter } from './catalogue.router.js';
import { generateTokenV2 } from './generate-token-v2.js';
import { adminRouter } from './admin/admin.router.js';
import { exportsRouter } from './exports.router.js';
import { generateTokenV1Router } from './generate-token-v1.js';
import { groupUsersRouter } from './group-users.router.js';
import { PowerBiError } from './power-bi-error.js';
import { profilesRouter } from './profiles.router.js';
import { refreshesRouter } from './refreshes.router.js';
import { throttle } from './throttle.js';
import { workspacesRouter } from './workspaces.router.js';

/** All routes below `/v1.0/myorg`. */
export function restRouter(emulator: Emulator): Router {
  const router = Router();
  router.use(bearer(emulator), throttle(emulator));
  router.use(catalogueRouter(emulator));
  router.use(workspacesRouter(emulator));
  router.use(groupUsersRouter(emulator));
  router.use(profilesRouter(emulator));
  router.use(exportsRouter(emulator));
  router.use(refreshesRouter(emulator));
  router.use(generateTokenV1Router(emulator));
  router.use('/admin', adminRouter(emulator));
  router.post('/GenerateToken', generateTokenV2(emulator));
  router.use(() => {
    const Message = 'No HTTP resource was found that matches the request URI.';
    throw new PowerBiError(404, emulator.guess('unknown_route') === '404_message' ? { Message } : undefined);
  });
  router.use(writeError);
  return router;
}

const writeError: ErrorRequestHandler = (error, _request, response, next) => {
  if (error instanceof PowerBiError) error.send(response);
  else next(error);
};
