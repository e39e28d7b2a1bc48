import { Router, type RequestHandler } from 'express';
import type { Emulator } from '../../emulator.js';
import { switchedOff } from '../bearer.js';
import { adminGroupsRouter } from './admin-groups.router.js';
import { scannerRouter } from './scanner.router.js';

/** The admin API, which has a tenant setting of its own. */
export function adminRouter(emulator: Emulator): Router {
  const router = Router();
  router.use(allowed(emulator));
  router.use(adminGroupsRouter(emulator));
  router.use(scannerRouter(emulator));
  return router;
}

function allowed(emulator: Emulator): RequestHandler {
  return (_request, _response, next) => {
    if (!emulator.settings.admin_switch) throw switchedOff(emulator);
    next();
  };
}
