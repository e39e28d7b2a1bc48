import { type ClientProblem, isTokenExpired } from './client-problem.js';

/** What the viewer has before them. */
export interface Show {
  /** `loaded`: Power BI has the report, but has not drawn it. */
  phase: 'loading' | 'loaded' | 'shown';
  /** It takes longer than it should. */
  isSlow: boolean;
  /** How many loads have begun. */
  attempt: number;
  /** How many loads have ended. */
  loads: number;
  /** Why it is not shown. */
  failure?: ClientProblem;
  /** What went wrong in a report that is shown. */
  note?: ClientProblem;
}

export type ShowEvent =
  { type: 'begun' | 'loaded' | 'rendered' | 'slow' | 'noted' } | { type: 'error'; problem: ClientProblem };

export const begun: Show = { phase: 'loading', isSlow: false, attempt: 0, loads: 0 };

const again = ({ attempt, loads }: Show): Show => ({ ...begun, attempt: attempt + 1, loads });

const after: Record<Exclude<ShowEvent['type'], 'error'>, (show: Show) => Show> = {
  begun: again,
  loaded: (show) => ({
    ...show,
    phase: show.phase === 'shown' ? 'shown' : 'loaded',
    loads: show.loads + 1,
  }),
  // What went wrong before was in a part only.
  rendered: ({ attempt, loads, failure, note }) => ({
    phase: 'shown',
    isSlow: false,
    attempt,
    loads,
    note: failure ?? note,
  }),
  slow: (show) => ({ ...show, isSlow: true }),
  noted: (show) => ({ ...show, note: undefined }),
};

/** A token that ran out is renewed, and the report loaded again, without the viewer's doing. */
function afterError(show: Show, problem: ClientProblem): Show {
  if (isTokenExpired(problem)) return again(show);
  return show.phase === 'shown' ? { ...show, note: problem } : { ...show, failure: problem };
}

/** One event of the report after the other. */
export const next = (show: Show, event: ShowEvent): Show =>
  event.type === 'error' ? afterError(show, event.problem) : after[event.type](show);
