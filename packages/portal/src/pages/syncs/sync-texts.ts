import { t } from 'i18next';
import type { components } from '../../api/schema.js';
import { msg } from '../../i18n/index.js';

export type SyncRun = components['schemas']['SyncRunDto'];
export type SyncError = components['schemas']['SyncErrorDto'];

export const statuses: Record<SyncRun['status'], { label: string; color: string }> = {
  queued: { label: msg('Queued'), color: 'gray' },
  running: { label: msg('Running'), color: 'blue' },
  succeeded: { label: msg('Succeeded'), color: 'green' },
  partial: { label: msg('Partially succeeded'), color: 'orange' },
  failed: { label: msg('Failed'), color: 'red' },
};

export const triggers: Record<SyncRun['trigger'], string> = {
  schedule: msg('Scheduled'),
  request: msg('Manual'),
  start: msg('Startup'),
};

export const isActive = ({ status }: SyncRun): boolean => status === 'queued' || status === 'running';

/** The state of a run in a sentence. */
export function summaryOf({ status, workspaces_seen: seen, workspaces_failed: failed }: SyncRun): string {
  if (status === 'queued') return t('Starts when a worker is available.');
  if (status === 'running') return t('Reading workspaces and reports from Power BI.');
  if (status === 'succeeded') return t('All workspaces and reports are up to date.');
  if (status === 'partial') {
    return t(
      "{{count}} of {{total}} workspaces couldn't be read. They are unchanged, and the next sync tries them again.",
      { count: failed, total: seen },
    );
  }
  return t("The sync couldn't be completed. Workspaces and reports that it didn't reach are unchanged.");
}

const causes: Record<string, string> = {
  power_bi_access_denied: msg('Power BI denied access'),
  power_bi_unavailable: msg('Power BI did not respond'),
  power_bi_throttled: msg('Power BI throttled the sync for too long'),
  power_bi_request_refused: msg('Power BI rejected the request'),
  internal_error: msg('Internal error'),
};

export const causeOf = (code: string): string => t(causes[code] ?? code.replaceAll('_', ' '));

/** `< 1 s`, `40 s`, `2 min 5 s`, `1 h 3 min`. */
export function duration(seconds: number): string {
  if (seconds < 1) return t('< 1 s');
  const whole = Math.round(seconds);
  const minutes = Math.floor(whole / 60);
  if (whole < 60) return t('{{seconds}} s', { seconds: whole });
  if (whole < 3600) return t('{{minutes}} min {{seconds}} s', { minutes, seconds: whole % 60 });
  return t('{{hours}} h {{minutes}} min', { hours: Math.floor(minutes / 60), minutes: minutes % 60 });
}

/** Seconds from the beginning to the end, or until now; null before it began. */
export function secondsOf({ started_at, finished_at }: SyncRun, now = Date.now()): number | null {
  if (started_at === null) return null;
  const end = finished_at === null ? now : Date.parse(finished_at);
  return Math.max(0, (end - Date.parse(started_at)) / 1000);
}
