import { sameId } from '../content/content.js';
import type { Dataset, PastRefresh } from '../content/model.js';
import type { Emulator } from '../emulator.js';

/** A background job of Power BI: its state depends on the clock and on `job_seconds`. */
export interface Job {
  id: string;
  /** In emulator time, milliseconds. */
  started: number;
  ends: number;
  fails: boolean;
  cancelled?: number;
}

export interface ExportJob extends Job {
  reportId: string;
  reportName: string;
  capacityId: string;
  /** Number of pages that it renders. */
  size: number;
  extension: string;
  file: Buffer;
  failure?: { code: string; message: string };
}

export interface RefreshJob extends Job {
  datasetId: string;
  /** Started with a parameter of the enhanced API; only then the refresh can be read by id and cancelled. */
  enhanced: boolean;
  type: string;
  commitMode: string;
}

export interface ScanJob extends Job {
  workspaces: string[];
}

export interface ImportJob extends Job {
  workspaceId: string;
  name: string;
  file: 'pbix' | 'rdl';
  skipReport: boolean;
  /** Content of the same name that it overwrites. */
  replaces?: { reportId?: string; datasetId?: string };
  /** Set when the job has ended. */
  result?: { reportId?: string; datasetId?: string };
}

/** A file in temporary storage, which an import names instead of containing it. */
export interface Upload {
  expires: number;
  isComplete: boolean;
}

export type Phase = 'NotStarted' | 'Running' | 'Done' | 'Failed' | 'Cancelled';

/** A job that takes `job_seconds` and starts now, unless it waits. */
export function newJob(emulator: Emulator, id: string, started = emulator.clock.now().getTime()): Job {
  const { job_seconds: seconds, jobs_fail: fails } = emulator.settings;
  return { id, started, ends: started + seconds * 1000, fails };
}

const PAST_MINUTES = 5;

/** The past refreshes of a dataset as jobs that are over, oldest first. */
export function pastRefreshes({ loadedAt }: Emulator, { id, refreshes = [] }: Dataset): RefreshJob[] {
  return refreshes
    .toSorted((one, other) => other.minutesAgo - one.minutesAgo)
    .map((past) => pastRefresh(id, past, loadedAt));
}

function pastRefresh(
  datasetId: string,
  { status, minutesAgo, durationMinutes = PAST_MINUTES }: PastRefresh,
  loadedAt: number,
): RefreshJob {
  const started = loadedAt - minutesAgo * 60_000;
  const ends = status === 'Unknown' ? Infinity : started + durationMinutes * 60_000;
  return {
    id: `${datasetId.slice(0, 24)}${Math.round(minutesAgo).toString(16).padStart(12, '0')}`,
    datasetId,
    started,
    ends,
    fails: status === 'Failed',
    ...(status === 'Cancelled' && { cancelled: ends }),
    enhanced: false,
    type: 'Full',
    commitMode: 'Transactional',
  };
}

/** The refreshes of a dataset, newest first. */
export function refreshesOf(emulator: Emulator, dataset: Dataset): RefreshJob[] {
  const started = [...emulator.jobs.refreshes.values()].filter(({ datasetId }) =>
    sameId(datasetId, dataset.id),
  );
  return [...pastRefreshes(emulator, dataset), ...started].toReversed();
}

export class Jobs {
  readonly exports = new Map<string, ExportJob>();
  readonly refreshes = new Map<string, RefreshJob>();
  readonly scans = new Map<string, ScanJob>();
  readonly imports = new Map<string, ImportJob>();
  readonly uploads = new Map<string, Upload>();
}

/** A job waits for the first quarter of its duration, then it runs. */
export function phaseOf(job: Job, now: number): Phase {
  if (job.cancelled !== undefined) return 'Cancelled';
  if (now >= job.ends) return job.fails ? 'Failed' : 'Done';
  return now < job.started + (job.ends - job.started) / 4 ? 'NotStarted' : 'Running';
}

export function percentOf(job: Job, now: number): number {
  if (now >= job.ends) return 100;
  return Math.floor((Math.max(0, now - job.started) / (job.ends - job.started)) * 100);
}
