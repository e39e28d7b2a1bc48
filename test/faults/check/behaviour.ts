import type { Invariant } from './evidence.js';

const MAX_RESPONSE_MS = 16_000;

/** 8. No log, table, email or recorded call contains a secret. */
export const noLeaks: Invariant = ({ leaks }) => leaks.map((leak) => `leaked: ${leak}`);

/** 11. Each response takes at most 16 s, failures are problem documents, and no request stays open. */
export const boundedResponses: Invariant = ({ history, openRequests }) => [
  ...history
    .filter(({ t_invoke, t_done }) => t_done - t_invoke > MAX_RESPONSE_MS)
    .map(({ op, t_invoke, t_done }) => `${op} took ${t_done - t_invoke} ms`),
  ...history
    .filter(({ isNotProblem }) => isNotProblem === true)
    .map(({ op, status }) => `${op}: a ${status} that is not a problem document`),
  ...(openRequests > 0 ? [`${openRequests} requests were still open at the end`] : []),
];

/** 12. The expectations of the scenario are met. */
export const availability: Invariant = ({ expectations }) =>
  expectations.filter(({ holds }) => !holds).map(({ name, found }) => `${name}: ${found}`);

const WINDOW_MS = 10_000;

/** 13. Retries add at most a tenth of the calls, plus ten in ten seconds. */
export const retryAmplification: Invariant = ({ history, calls, began, ended }) => {
  const hits = calls.filter(
    ({ method, path }) => method === 'POST' && path.endsWith('/GenerateToken'),
  ).length;
  const asked = history.filter(({ op }) => op === 'embed').length;
  const most = 1.1 * asked + 10 * Math.ceil((ended - began) / WINDOW_MS);
  return hits <= most
    ? []
    : [`${hits} calls to Power BI for ${asked} embed tokens, the limit is ${Math.floor(most)}`];
};

const MIB = 1024 * 1024;
/** In addition to a tenth: memory that the garbage collectors of three replicas have not released yet. */
const SLACK = { rss: 450 * MIB, fds: 10, connections: 6 };

/** 14. Memory, file descriptors and database connections return to at most 1.1 × their baseline. */
export const resources: Invariant = ({ before, after }) =>
  (['rss', 'fds', 'connections'] as const)
    .filter((what) => after[what] > before[what] * 1.1 + SLACK[what])
    .map((what) => `${what} went from ${before[what]} to ${after[what]}`);

const died = /unhandled|uncaught ?exception/i;

/** 15. Each process exits with 0, or through a signal that the scenario sent. */
export const processes: Invariant = ({ exits, artefacts }) => [
  ...exits
    .filter(({ code, signal, sentSignals, forced }) => {
      if (forced) return true;
      if (signal === 'SIGKILL') return !sentSignals.includes('SIGKILL');
      if (signal === 'SIGTERM') return !sentSignals.includes('SIGTERM');
      return code !== 0 && !(code === 143 && sentSignals.includes('SIGTERM'));
    })
    .map(({ name, code, signal }) => `${name} ended with ${signal ?? code}`),
  ...Object.entries(artefacts)
    .filter(([place, text]) => place.startsWith('replica') && died.test(text))
    .map(([place]) => `${place} contains an unhandled error`),
];
