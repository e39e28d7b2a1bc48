import { databaseProblem } from '../../core/problems/database-problem.js';
import { Problem } from '../../core/problems/problem.js';
import { emit, type TelemetryEvents } from '../../core/telemetry/telemetry-events.js';

type Result = TelemetryEvents['group_changed']['result'];

const OVERLOADED = 503;

/** `busy` for a lock or statement timeout and a full queue, `refused` for a request that cannot succeed. */
function resultOf(error: unknown): Result {
  const problem = error instanceof Problem ? error : databaseProblem(error);
  if (problem === undefined) return 'failed';
  return problem.entry.status === OVERLOADED ? 'busy' : 'refused';
}

async function timed<T>(
  work: () => Promise<T>,
  report: (result: Result, seconds: number) => void,
): Promise<T> {
  const start = performance.now();
  const seconds = (): number => (performance.now() - start) / 1000;
  try {
    const result = await work();
    report('done', seconds());
    return result;
  } catch (error) {
    report(resultOf(error), seconds());
    throw error;
  }
}

/** Measures a change of the people of groups, or of groups in groups, with its waits. */
export const timedChange = <T>(change: 'people' | 'groups', work: () => Promise<T>): Promise<T> =>
  timed(work, (result, seconds) => emit('group_changed', { change, result, seconds }));

/** Measures the wait for the lock of the nesting of groups. */
export const timedLock = <T>(work: () => Promise<T>): Promise<T> =>
  timed(work, (result, seconds) => emit('group_lock_waited', { result, seconds }));
