import { Router, type ErrorRequestHandler } from 'express';
import type { Emulator } from '../emulator.js';
import { bearer } from './bearer.js';
import { catalogueRouter } from './catalogue.router.js';
import { generateTokenV2 } from './generate-token-v2.js';
import { PowerBiError } from './power-bi-error.js';

/** Everything below `/v1.0/myorg`. */
export function restRouter(emulator: Emulator): Router {
  const router = Router();
  router.use(bearer(emulator));
  router.use(catalogueRouter(emulator));
  router.post('/GenerateToken', generateTokenV2(emulator));
  router.use((_request, response) => {
    response.status(404).json({ Message: 'No HTTP resource was found that matches the request URI.' });
  });
  router.use(writeError);
  return router;
}

const writeError: ErrorRequestHandler = (error, _request, response, _next) => {
  if (error instanceof PowerBiError) error.send(response);
  else response.status(500).json({ Message: 'An error has occurred.' });
};
