import type { Workspace } from '../content/model.js';
import type { ExportJob } from '../core/jobs.js';
import type { Emulator } from '../emulator.js';
import { coded, invalidRequest, PowerBiError } from './power-bi-error.js';

/** The capacity on which the workspace's exports run. Throws PowerBiError without one, or when it is paused. */
export function exportCapacity(emulator: Emulator, { capacityId }: Workspace): string {
  if (capacityId === undefined) {
    const message = 'Export to file requires a workspace on a Premium, Embedded or Fabric capacity';
    if (emulator.guess('export_shared_capacity') === '400') throw invalidRequest(message);
    throw coded(403, 'ExportToFileNotSupported', message);
  }
  if (emulator.content.findCapacity(capacityId)?.state === 'Suspended') {
    throw coded(403, 'CapacityNotActive', 'The capacity is not active');
  }
  return capacityId;
}

/**
 * When an export of this many pages starts: it waits until the capacity has room for its pages. Throws PowerBiError
 * (429) when the capacity has too many exports.
 */
export function startTime(emulator: Emulator, capacityId: string, size: number): number {
  const now = emulator.clock.now().getTime();
  const others = [...emulator.jobs.exports.values()].filter(
    (job) => job.capacityId === capacityId && job.ends > now,
  );
  const {
    exports_per_capacity: most,
    export_pages_per_capacity: pages,
    export_retry_seconds: seconds,
  } = emulator.settings;
  if (others.length >= most) throw tooMany(seconds);
  const moments = [now, ...others.map(({ ends }) => ends)].toSorted((a, b) => a - b);
  const isFree = (at: number): boolean => pagesAt(others, at) === 0 || pagesAt(others, at) + size <= pages;
  return moments.find(isFree) ?? now;
}

const pagesAt = (jobs: ExportJob[], at: number): number =>
  jobs.filter(({ started, ends }) => started <= at && at < ends).reduce((sum, { size }) => sum + size, 0);

const tooMany = (seconds: number): PowerBiError =>
  new PowerBiError(
    429,
    { error: { code: 'TooManyRequests', message: 'The capacity has too many concurrent export requests' } },
    { 'Retry-After': String(seconds) },
  );
