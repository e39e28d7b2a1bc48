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

/** Whether it took effect: a write whose answer was a 5xx or none at all may have done so. */
export type Result = 'ok' | 'fail' | 'unknown';

export interface Entry {
  t_invoke: number;
  t_done: number;
  /** Who did it: an e-mail address. */
  proc: string;
  op: Op;
  /** What it was about. */
  key: string;
  value: string | null;
  result: Result;
  /** 0: no answer. */
  status: number;
  code?: string;
  /** Session that it was done with. */
  sid?: string;
  replica?: string;
  /** Known workspaces whose ids, or those of whose reports, were in the answer. */
  saw?: string[];
  /** An answer of 400 and more that is no problem document. */
  bare?: true;
}

export const resultOf = (status: number): Result => {
  if (status >= 200 && status < 400) return 'ok';
  return status >= 400 && status < 500 ? 'fail' : 'unknown';
};

export const toLines = (history: readonly Entry[]): string =>
  history.map((entry) => `${JSON.stringify(entry)}\n`).join('');

/** How many answers of each class there were; 0 stands for none. */
export function answersOf(history: readonly Entry[]): Record<string, number> {
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
