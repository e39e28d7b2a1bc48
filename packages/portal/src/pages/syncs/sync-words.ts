import type { components } from '../../api/schema.js';

export type SyncRun = components['schemas']['SyncRunDto'];
export type SyncError = components['schemas']['SyncErrorDto'];

export const statusWords: Record<SyncRun['status'], { label: string; color: string }> = {
  queued: { label: 'Waiting', color: 'gray' },
  running: { label: 'Running', color: 'blue' },
  succeeded: { label: 'Done', color: 'green' },
  partial: { label: 'Partly done', color: 'orange' },
  failed: { label: 'Failed', color: 'red' },
};

export const triggerWords: Record<SyncRun['trigger'], string> = {
  schedule: 'On schedule',
  request: 'By hand',
  start: 'At start',
};

export const isAtWork = ({ status }: SyncRun): boolean => status === 'queued' || status === 'running';

/** What became of a run, for somebody who has to decide whether to do something about it. */
export function storyOf({ status, workspaces_seen: seen, workspaces_failed: failed }: SyncRun): string {
  if (status === 'queued') return 'It begins as soon as a worker is free.';
  if (status === 'running') return 'It is reading what Power BI has.';
  if (status === 'succeeded') return 'The catalogue has what Power BI has.';
  if (status === 'partial') {
    return `${failed} of ${seen} workspaces could not be read. They keep what they had before, and the next sync tries them again.`;
  }
  return 'It ended before everything was read. What was not read stays as it was: nothing was removed.';
}

const causes: Record<string, string> = {
  power_bi_access_denied: 'Power BI denies access',
  power_bi_unavailable: 'Power BI did not answer',
  power_bi_throttled: 'Power BI asked to wait for too long',
  power_bi_request_refused: 'Power BI refused the request',
  internal_error: 'Something went wrong in Vitrine',
};

export const causeOf = (code: string): string => causes[code] ?? code.replaceAll('_', ' ');

/** `under 1 s`, `40 s`, `2 min 5 s`, `1 h 3 min`. */
export function duration(seconds: number): string {
  if (seconds < 1) return 'under 1 s';
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  return `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`;
}

/** Seconds from the beginning to the end, or until now; null before it began. */
export function secondsOf({ started_at, finished_at }: SyncRun, now = Date.now()): number | null {
  if (started_at === null) return null;
  const end = finished_at === null ? now : Date.parse(finished_at);
  return Math.max(0, (end - Date.parse(started_at)) / 1000);
}
