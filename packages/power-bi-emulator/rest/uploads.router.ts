import { Router } from 'express';
import type { Emulator } from '../emulator.js';

/** Temporary storage in the manner of Azure Blob Storage: one request, or blocks and their list. */
export function uploadsRouter(emulator: Emulator): Router {
  const router = Router();
  router.put('/:upload', (request, response) => {
    const upload = emulator.jobs.uploads.get(request.params.upload);
    if (!upload || emulator.clock.now().getTime() > upload.expires) {
      response.status(403).type('xml').send('<Error><Code>AuthenticationFailed</Code></Error>');
      return;
    }
    if (request.query.comp !== 'block') upload.isComplete = true;
    response.status(201).end();
  });
  return router;
}
