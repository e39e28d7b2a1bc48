import type { Invariant } from './evidence.js';

const ANSWER_MS = 16_000;

/** 8. No secret leaks: no canary in anything that the run left behind. */
export const noLeaks: Invariant = ({ leaks }) => leaks.map((leak) => `leaked: ${leak}`);

/** 11. Bounded answers: each within 16 s, failures as problem documents, and nothing hangs in the end. */
export const boundedAnswers: Invariant = ({ history, open }) => [
  ...history
    .filter(({ t_invoke, t_done }) => t_done - t_invoke > ANSWER_MS)
    .map(({ op, t_invoke, t_done }) => `${op} took ${t_done - t_invoke} ms`),
  ...history
    .filter(({ bare }) => bare === true)
    .map(({ op, status }) => `${op}: a ${status} that is no problem document`),
  ...(open > 0 ? [`${open} requests were still open in the end`] : []),
];

/** 12. Availability: what the scenario expects of it. */
export const availability: Invariant = ({ expectations }) =>
  expectations.filter(({ holds }) => !holds).map(({ name, found }) => `${name}: ${found}`);

const WINDOW_MS = 10_000;

/** 13. Retry amplification: a tenth more calls upstream than embed tokens were asked for, and ten in ten seconds. */
export const retryAmplification: Invariant = ({ history, calls, began, ended }) => {
  const hits = calls.filter(
    ({ method, path }) => method === 'POST' && path.endsWith('/GenerateToken'),
  ).length;
  const asked = history.filter(({ op }) => op === 'embed').length;
  const most = 1.1 * asked + 10 * Math.ceil((ended - began) / WINDOW_MS);
  return hits <= most ? [] : [`${hits} calls upstream for ${asked} embed tokens; ${Math.floor(most)} may be`];
};

const MIB = 1024 * 1024;
/** On top of a tenth: what a garbage collector of three replicas may not have given back yet. */
const SLACK = { rss: 450 * MIB, fds: 10, connections: 6 };

/** 14. Resources: memory, descriptors and database connections come back to where they were, and a tenth. */
export const resources: Invariant = ({ before, after }) =>
  (['rss', 'fds', 'connections'] as const)
    .filter((what) => after[what] > before[what] * 1.1 + SLACK[what])
    .map((what) => `${what} went from ${before[what]} to ${after[what]}`);

const died = /unhandled|uncaught ?exception/i;

/** 15. Process: each ended by itself with 0, or as we told it to. */
export const processes: Invariant = ({ exits, artefacts }) => [
  ...exits
    .filter(({ code, signal, asked, forced }) => {
      if (forced) return true;
      if (signal === 'SIGKILL') return !asked.includes('SIGKILL');
      if (signal === 'SIGTERM') return !asked.includes('SIGTERM');
      return code !== 0 && !(code === 143 && asked.includes('SIGTERM'));
    })
    .map(({ name, code, signal }) => `${name} ended with ${signal ?? code}`),
  ...Object.entries(artefacts)
    .filter(([place, text]) => place.startsWith('replica') && died.test(text))
    .map(([place]) => `${place} tells of an error that nobody handled`),
];
