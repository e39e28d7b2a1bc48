import { Router } from 'express';
import type { Emulator } from '../emulator.js';
import { entity } from './odata.js';
import { entityNotFound } from './power-bi-error.js';

/** Features of the tenant. Microsoft documents one: embed tokens for trial on shared capacity. */
export function featuresRouter(emulator: Emulator): Router {
  const router = Router();
  router.get('/availableFeatures', (_request, response) => {
    response.json(entity(emulator, 'availableFeatures', { features: [embedTrial(emulator)] }));
  });
  router.get(String.raw`/availableFeatures\(featureName=':feature'\)`, (request, response) => {
    if (String(request.params.feature).toLowerCase() !== 'embedtrial') throw entityNotFound(emulator);
    response.json(entity(emulator, 'availableFeatures', embedTrial(emulator)));
  });
  return router;
}

/** `usage` is the percentage of the trial tokens that were issued. */
function embedTrial({ settings, sharedCapacityTokens }: Emulator): Record<string, unknown> {
  const quota = settings.shared_capacity_quota;
  const usage = quota === null ? 0 : quota === 0 ? 100 : Math.round((sharedCapacityTokens / quota) * 100);
  return { name: 'embedTrial', state: 'Enabled', extendedState: 'Enabled', additionalInfo: { usage } };
}
