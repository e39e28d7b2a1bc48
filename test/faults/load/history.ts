export type Op =
  | 'list'
  | 'read'
  | 'me'
  | 'embed'
  | 'refresh'
  | 'login'
  | 'guess'
  | 'rename'
  | 'read_name'
  | 'set_member'
  | 'remove_member'
  | 'sign_out'
  | 'change_password'
  | 'disable'
  | 'enable'
  | 'reuse'
  | 'invite'
  | 'accept'
  | 'hostile'
  | 'probe_access'
  | 'probe_refresh';

/** Whether it took effect; unknown for a 5xx or no response. */
export type Result = 'ok' | 'fail' | 'unknown';

export interface Entry {
  t_invoke: number;
  t_done: number;
  /** The email address of the caller. */
  actor: string;
  op: Op;
  /** The id of the changed or read object. */
  key: string;
  value: string | null;
  result: Result;
  /** 0: no response. */
  status: number;
  code?: string;
  /** The session used. */
  sid?: string;
  replica?: string;
  /** Workspaces whose ids, or those of their reports, are in the response. */
  workspacesSeen?: string[];
  /** A response of 400 or more that is not a problem document. */
  isNotProblem?: true;
}

export const resultOf = (status: number): Result => {
  if (status >= 200 && status < 400) return 'ok';
  return status >= 400 && status < 500 ? 'fail' : 'unknown';
};

export const toJsonLines = (history: readonly Entry[]): string =>
  history.map((entry) => `${JSON.stringify(entry)}\n`).join('');

/** Number of responses per status class; `none` for requests without a response. */
export function responseCounts(history: readonly Entry[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { status } of history) {
    const name = status === 0 ? 'none' : `${Math.floor(status / 100)}xx`;
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}

export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}
