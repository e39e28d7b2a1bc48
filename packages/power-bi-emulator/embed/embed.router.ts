import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import express, { Router, type RequestHandler } from 'express';
import { bodyOf } from '../core/body.js';
import type { Emulator } from '../emulator.js';
import { EmbedError } from './embed-error.js';
import { checkDashboard, openDashboard } from './open-dashboard.js';
import { checkReport, openReport, type LoadRequest } from './open-report.js';

/** Serves the page that portals embed in an iframe, and the endpoints that the page calls. */
export function embedRouter(emulator: Emulator): Router {
  const router = Router();
  const page = readFileSync(join(pageFolder(), 'index.html'), 'utf8');
  router.get(['/reportEmbed', '/rdlEmbed', '/dashboardEmbed', '/embed'], (_request, response) => {
    response.set('Cache-Control', 'no-store').type('html').send(page);
  });
  router.get('/reportEmbed/page/echarts.js', (_request, response) => {
    response.sendFile(createRequire(import.meta.url).resolve('echarts/dist/echarts.min.js'));
  });
  router.use('/reportEmbed/page', express.static(pageFolder(), { index: false }));
  router.post(
    '/reportEmbed/open',
    answering((request) => openReport(emulator, request)),
  );
  router.post(
    '/reportEmbed/check',
    answering((request) => checkReport(emulator, request)),
  );
  router.post(
    '/dashboardEmbed/open',
    answering((request) => openDashboard(emulator, request)),
  );
  router.post(
    '/dashboardEmbed/check',
    answering((request) => checkDashboard(emulator, request)),
  );
  return router;
}

function answering(action: (request: LoadRequest) => Promise<object>): RequestHandler {
  return async (request, response) => {
    try {
      response.json(await action(bodyOf(request) ?? {}));
    } catch (error) {
      if (!(error instanceof EmbedError)) throw error;
      response.status(400).json(error.toBody());
    }
  };
}

/**
 * Folder of the page, which is plain JavaScript without a build step; relative to the sources, the package's `dist` or
 * the repository's `dist`.
 */
function pageFolder(): string {
  const candidates = ['../page', '../../page', '../../../../packages/power-bi-emulator/page'];
  const folders = candidates.map((path) => join(import.meta.dirname, path));
  return folders.find((folder) => existsSync(join(folder, 'index.html'))) ?? (folders[0] as string);
}
