import express, { type Express } from 'express';
import { controlRouter } from './control/control.router.js';
import { sameSite } from './control/same-site.js';
import { arrival } from './core/arrival.js';
import { readBody } from './core/body.js';
import { cors } from './core/cors.js';
import { hostCheck } from './core/host-check.js';
import { lastResort } from './core/last-resort.js';
import { notFound } from './core/not-found.js';
import { trouble } from './core/trouble.js';
import { embedRouter } from './embed/embed.router.js';
import type { Emulator } from './emulator.js';
import { entraRouter } from './entra/entra.router.js';
import { restRouter } from './rest/rest.router.js';
import { uploadsRouter } from './rest/uploads.router.js';

const welcome = `Emulates Power BI and Entra ID.
REST: /v1.0/myorg. Control: /__emulator. Documentation: README.md of the package.
`;

export function createApp(emulator: Emulator, allowedHosts: string[]): Express {
  const app = express();
  app.disable('x-powered-by').disable('etag');
  app.use(hostCheck(allowedHosts), readBody);
  app.get('/', (_request, response) => response.type('text').send(welcome));
  app.use('/__emulator', sameSite, controlRouter(emulator));
  app.use(embedRouter(emulator));
  app.use(cors, arrival(emulator), trouble(emulator));
  app.use('/temporaryuploads', uploadsRouter(emulator));
  app.use('/v1.0/myorg', restRouter(emulator));
  app.use(entraRouter(emulator));
  app.use(notFound, lastResort);
  return app;
}
