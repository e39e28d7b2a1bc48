import { phaseOf, type Phase, type RefreshJob } from '../core/jobs.js';
import type { Emulator } from '../emulator.js';

type Json = Record<string, unknown>;

/** Power BI reports a running refresh as "Unknown". */
const statuses: Record<Phase, string> = {
  NotStarted: 'Unknown',
  Running: 'Unknown',
  Done: 'Completed',
  Failed: 'Failed',
  Cancelled: 'Cancelled',
};

const extendedStatuses: Record<Phase, string> = {
  NotStarted: 'NotStarted',
  Running: 'InProgress',
  Done: 'Completed',
  Failed: 'Failed',
  Cancelled: 'Cancelled',
};

const failure = { serviceExceptionJson: '{"errorCode":"ModelRefreshFailed_CredentialsNotSpecified"}' };

/** A refresh in the format of the history. */
export function historyOf(emulator: Emulator, job: RefreshJob): Json {
  const phase = phaseOf(job, emulator.clock.now().getTime());
  return {
    refreshType: job.enhanced ? 'ViaEnhancedApi' : 'ViaApi',
    ...times(job, phase),
    ...(phase === 'Failed' && failure),
    status: statuses[phase],
    requestId: job.id,
    ...attempts(job, phase),
  };
}

/** All details of an enhanced refresh. */
export function detailOf(emulator: Emulator, job: RefreshJob): Json {
  const phase = phaseOf(job, emulator.clock.now().getTime());
  const message = 'The credentials of the data source are missing.';
  return {
    ...times(job, phase),
    type: job.type,
    commitMode: job.commitMode,
    status: statuses[phase],
    extendedStatus: extendedStatuses[phase],
    currentRefreshType: job.type,
    numberOfAttempts: 0,
    ...(phase === 'Failed' && { messages: [{ message, type: 'Error' }] }),
    ...attempts(job, phase),
  };
}

function attempts(job: RefreshJob, phase: Phase): Json {
  if (phase !== 'Done' && phase !== 'Failed') return {};
  const attempt = { attemptId: 1, ...times(job, phase) };
  if (phase === 'Failed') return { refreshAttempts: [{ ...attempt, ...failure, type: 'Data' }] };
  return {
    refreshAttempts: [
      { ...attempt, type: 'Data' },
      { ...attempt, type: 'Query' },
    ],
  };
}

function times(job: RefreshJob, phase: Phase): Json {
  const over = phase === 'Done' || phase === 'Failed' || phase === 'Cancelled';
  return {
    startTime: new Date(job.started).toISOString(),
    ...(over && { endTime: new Date(job.cancelled ?? job.ends).toISOString() }),
  };
}
