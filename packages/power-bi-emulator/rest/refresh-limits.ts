import type { Dataset } from '../content/model.js';
import { refreshesOf } from '../core/jobs.js';
import type { Emulator } from '../emulator.js';
import { coded, invalidRequest } from './power-bi-error.js';

const DAY = 24 * 3600 * 1000;
/** Documented for shared capacity, scheduled refreshes included. */
const MAX_PER_DAY = 8;

/** One refresh of a dataset at a time, and eight a day on shared capacity. Throws PowerBiError. */
export function checkMayRefresh(emulator: Emulator, dataset: Dataset): void {
  const now = emulator.clock.now().getTime();
  const refreshes = refreshesOf(emulator, dataset);
  const isRunning = refreshes.some(({ ends, cancelled }) => cancelled === undefined && now < ends);
  if (isRunning && emulator.guess('refresh_running') === '400') {
    throw invalidRequest('Invalid dataset refresh request. Another refresh request is already executing');
  }
  const isShared = emulator.content.findDataset(dataset.id)?.workspace.capacityId === undefined;
  if (!isShared || !emulator.settings.documented_limits) return;
  const lately = refreshes.filter(({ started }) => started > now - DAY);
  if (lately.length >= MAX_PER_DAY) {
    const message =
      'Invalid dataset refresh request. Number of refresh requests in last 24 hours exceeded limit';
    throw coded(Number(emulator.guess('refresh_limit')), 'InvalidRequest', message);
  }
}
