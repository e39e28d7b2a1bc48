import { ProblemError } from '../api/problem.js';
import { textsOf } from '../api/problem-texts.js';
import { isAdminNow } from '../session/use-session.js';

export interface Notice {
  id: number;
  title?: string;
  message: string;
  color: 'green' | 'red';
  /** Milliseconds. */
  closesAfter: number;
}

const SHORT_MS = 4000;
const LONG_MS = 10_000;
const MAX_SHOWN = 5;

let notices: readonly Notice[] = [];
let lastId = 0;
const listeners = new Set<() => void>();

export const noticesNow = (): readonly Notice[] => notices;

export function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function change(next: readonly Notice[]): void {
  notices = next;
  for (const listener of listeners) listener();
}

export const dismiss = (id: number): void => change(notices.filter((notice) => notice.id !== id));

function show(notice: Omit<Notice, 'id'>): void {
  lastId += 1;
  change([...notices, { ...notice, id: lastId }].slice(-MAX_SHOWN));
}

export const notifyDone = (message: string): void => show({ message, color: 'green', closesAfter: SHORT_MS });

/** A failure that has no problem of the service. */
export const notifyFailure = (message: string): void => show({ message, color: 'red', closesAfter: LONG_MS });

/** For failures without a place on the page. */
export const notifyProblem = (error: unknown): void => {
  if (!(error instanceof ProblemError)) throw error;
  const { title, text, wait = '' } = textsOf(error, { isAdmin: isAdminNow() });
  show({ title, message: `${text} ${wait}`.trim(), color: 'red', closesAfter: LONG_MS });
};
