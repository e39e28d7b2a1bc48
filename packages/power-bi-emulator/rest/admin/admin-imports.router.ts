import { Router, type RequestHandler } from 'express';
import type { Emulator } from '../../emulator.js';
import { importView } from '../imports.router.js';
import { collection, selected } from '../odata.js';

/** Every import of the tenant. */
export function adminImportsRouter(emulator: Emulator): Router {
  const router = Router();
  router.get('/imports', list(emulator));
  return router;
}

function list(emulator: Emulator): RequestHandler {
  return (request, response) => {
    const all = [...emulator.jobs.imports.values()].flatMap((job) => {
      const workspace = emulator.content.findWorkspace(job.workspaceId);
      return workspace ? [importView(emulator, workspace, job)] : [];
    });
    response.json(collection(emulator, 'imports', selected(all, request.query)));
  };
}
