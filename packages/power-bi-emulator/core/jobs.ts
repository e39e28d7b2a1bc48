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
  format: string;
  file: string;
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

export type Phase = 'NotStarted' | 'Running' | 'Done' | 'Failed' | 'Cancelled';

/** A job that starts now and takes `job_seconds`. */
export function newJob(emulator: Emulator, id: string): Job {
  const started = emulator.clock.now().getTime();
  const { job_seconds: seconds, jobs_fail: fails } = emulator.settings;
  return { id, started, ends: started + seconds * 1000, fails };
}

export class Jobs {
  readonly exports = new Map<string, ExportJob>();
  readonly refreshes = new Map<string, RefreshJob>();
  readonly scans = new Map<string, ScanJob>();
}

/** A job waits for the first quarter of its duration, then it runs. */
export function phaseOf(job: Job, now: number): Phase {
  if (job.cancelled !== undefined) return 'Cancelled';
  if (now >= job.ends) return job.fails ? 'Failed' : 'Done';
  return now < job.started + (job.ends - job.started) / 4 ? 'NotStarted' : 'Running';
}

export function percentOf(job: Job, now: number): number {
  if (now >= job.ends) return 100;
  return Math.floor(((now - job.started) / (job.ends - job.started)) * 100);
}
