import { Router, type ErrorRequestHandler } from 'express';
import type { Emulator } from '../emulator.js';
import { recordActivities } from './activities.js';
import { bearer } from './bearer.js';
import { finishImports } from './finish-imports.js';
import { notServed } from './not-served.js';
import { PowerBiError } from './power-bi-error.js';
import { restParts } from './rest-parts.js';
import { throttle } from './throttle.js';

/** All routes below `/v1.0/myorg`. */
export function restRouter(emulator: Emulator): Router {
  const router = Router();
  router.use(bearer(emulator), throttle(emulator), notServed(emulator));
  router.use(recordActivities(emulator), finishImports(emulator));
  for (const [prefix, part] of Object.entries(restParts(emulator))) router.use(prefix || '/', part);
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
