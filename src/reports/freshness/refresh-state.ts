import type { PbiRefresh } from '../../power-bi/power-bi.types.js';
import type { RefreshStatus } from '../report.entity.js';

/** What is known about the refreshes of a dataset. */
export interface RefreshState {
  status: RefreshStatus | null;
  dataAsOf: Date | null;
  /** Null unless the last refresh failed. */
  failedSince: Date | null;
}

export const unknownState: RefreshState = { status: null, dataAsOf: null, failedSince: null };
export const liveState: RefreshState = { ...unknownState, status: 'live' };

/** Whether the last refresh and the previous state do not determine the state: the whole history is read once. */
export function needsHistory({ status }: PbiRefresh, previous: RefreshState): boolean {
  if (status === 'succeeded') return false;
  const isKnown = previous.status !== null && previous.status !== 'live';
  return !isKnown || status === 'cancelled' || (status === 'failed' && previous.status !== 'failed');
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
