import type { PbiRefresh } from '../../power-bi/power-bi.types.js';
import type { DatasetFreshness } from '../report-freshness.queries.js';

export type RefreshState = Omit<DatasetFreshness, 'pbiDatasetId'>;

/** What the previous check found. */
export interface PreviousCheck extends RefreshState {
  /** Null before the first check. */
  checkedAt: Date | null;
}

/** Between the clock of Power BI and that of the service. */
const SKEW_MS = 300_000;

export const unknownState: RefreshState = { status: null, dataAsOf: null, failedSince: null };
export const liveState: RefreshState = { ...unknownState, status: 'live' };

/** Whether the last refresh and the previous state do not determine the state: the whole history is read once. */
export function needsHistory(last: PbiRefresh, previous: PreviousCheck): boolean {
  if (last.status === 'succeeded') return false;
  const isKnown = previous.status !== null && previous.status !== 'live';
  if (!isKnown || last.status === 'cancelled') return true;
  return last.status === 'failed' && (previous.status !== 'failed' || isSince(last, previous));
}

/**
 * Whether the last refresh, of a history as of `stateOf`, is a failure that the previous check did not find. At the first
 * check it may be weeks old.
 */
export function endsInNewFailure(history: readonly PbiRefresh[], previous: PreviousCheck): boolean {
  const last = history.find(({ status }) => status !== 'cancelled');
  if (last?.status !== 'failed') return false;
  // A refresh that was running may have been cancelled after a failure that is known.
  const tolerance = previous.status === 'running' ? SKEW_MS : 0;
  return previous.status === 'succeeded' || isSince(last, previous, tolerance);
}

function isSince({ at }: PbiRefresh, { checkedAt }: PreviousCheck, toleranceMs = 0): boolean {
  return checkedAt !== null && at.getTime() > checkedAt.getTime() - toleranceMs;
}

/** `history` is newest first and not empty. Cancelled refreshes changed nothing. */
export function stateOf(history: readonly PbiRefresh[], previous: RefreshState): RefreshState {
  const done = history.filter(({ status }) => status !== 'cancelled');
  const success = done.findIndex(({ status }) => status === 'succeeded');
  const dataAsOf = done[success]?.at ?? previous.dataAsOf;
  const last = done[0]?.status;
  if (last === undefined || last === 'cancelled') {
    return { status: dataAsOf === null ? null : 'succeeded', dataAsOf, failedSince: null };
  }
  if (last !== 'failed') return { status: last, dataAsOf, failedSince: null };
  const failures = done
    .slice(0, success < 0 ? undefined : success)
    .filter(({ status }) => status === 'failed');
  const known = success < 0 ? previous.failedSince : null;
  return { status: last, dataAsOf, failedSince: known ?? failures.at(-1)?.at ?? null };
}
