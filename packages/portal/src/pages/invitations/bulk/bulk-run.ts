import { v4 as uuidv4 } from 'uuid';
import { ProblemError } from '../../../api/problem.js';
import { wordsOf } from '../../../api/words.js';
import type { Invited, NewInvitation } from '../use-invitations.js';
import { type Outcome, outcomeOf } from '../words.js';
import type { ListedUser } from './parse-list.js';

export type LineState = 'waiting' | 'sending' | 'failed' | Outcome | 'has_all';

export interface BulkLine extends ListedUser {
  /** The same for every attempt, so that a lost response does not lead to a second invitation. */
  key: string;
  state: LineState;
  /** Why it failed. */
  reason?: string;
  /** Present if no email is sent. */
  link?: string;
}

export interface BulkState {
  lines: BulkLine[];
  phase: 'running' | 'pausing' | 'stopped' | 'finished';
  /** When it resumes automatically, in the time of `Date`. */
  resumesAt?: number;
  /** Why it is paused or was stopped. */
  reason?: string;
}

type Invite = (body: NewInvitation, key: string, signal: AbortSignal) => Promise<Invited>;

/** If the response has no `Retry-After`. */
const DEFAULT_PAUSE_SECONDS = 5;
const MAX_ATTEMPTS = 3;

const wait = (seconds: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, seconds * 1000);
    signal.addEventListener('abort', done);
  });

/** Invites the users of a list sequentially, which limits the load on the service and its mail server. */
export class BulkRun {
  private state: BulkState;
  private stopping = new AbortController();
  private readonly listeners = new Set<() => void>();

  constructor(
    people: readonly ListedUser[],
    private readonly access: Pick<NewInvitation, 'role' | 'workspaces'>,
    private readonly invite: Invite,
  ) {
    const lines = people.map((person) => ({ ...person, key: uuidv4(), state: 'waiting' as const }));
    this.state = { lines, phase: 'stopped' };
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  readonly snapshot = (): BulkState => this.state;

  /** Starts or resumes with the waiting lines. */
  async start(): Promise<void> {
    if (this.state.phase === 'running' || this.state.phase === 'pausing') return;
    this.stopping = new AbortController();
    const { signal } = this.stopping;
    this.set({ phase: 'running', reason: undefined });
    for (let index = this.next(); index !== -1 && !signal.aborted; index = this.next()) {
      await this.send(index, signal);
    }
    if (!signal.aborted) this.set({ phase: 'finished' });
  }

  /** The pending request is repeated on resume, with the same idempotency key. */
  stop(reason?: string): void {
    this.stopping.abort();
    this.set({ phase: 'stopped', resumesAt: undefined, reason });
  }

  retryFailed(): Promise<void> {
    const lines = this.state.lines.map((line) =>
      line.state === 'failed' ? { ...line, state: 'waiting' as const, reason: undefined } : line,
    );
    this.set({ lines });
    return this.start();
  }

  private next(): number {
    return this.state.lines.findIndex(({ state }) => state === 'waiting');
  }

  private async send(index: number, signal: AbortSignal, tried = 1): Promise<void> {
    const { email, name, key } = this.state.lines[index] as BulkLine;
    this.change(index, { state: 'sending' });
    const body = { email, ...(name !== undefined && { name }), ...this.access };
    try {
      const invited = await this.invite(body, key, signal);
      this.change(index, { state: outcomeOf(invited), link: invited.invitation.accept_url });
    } catch (error) {
      if (!signal.aborted && !(error instanceof ProblemError)) throw error;
      if (signal.aborted) this.change(index, { state: 'waiting' });
      else await this.failed(index, error as ProblemError, signal, tried);
    }
  }

  private async failed(
    index: number,
    error: ProblemError,
    signal: AbortSignal,
    tried: number,
  ): Promise<void> {
    const { title, text } = wordsOf(error);
    const isBusy = error.status >= 500 || error.code === 'idempotency_in_flight';
    if (error.code === 'already_has_access') return this.change(index, { state: 'has_all' });
    if (error.status === 429) return this.pause(index, error, signal);
    if (error.status === 0) {
      this.change(index, { state: 'waiting' });
      return this.stop(title);
    }
    if (isBusy && tried < MAX_ATTEMPTS) {
      await wait(error.retryAfter ?? tried, signal);
      return signal.aborted ? this.change(index, { state: 'waiting' }) : this.send(index, signal, tried + 1);
    }
    const details = error.problem?.errors?.map(({ detail }) => detail).join('; ');
    this.change(index, { state: 'failed', reason: details ?? `${title}. ${text}` });
  }

  /** The line waits like the others; after the pause it is the first again. */
  private async pause(index: number, error: ProblemError, signal: AbortSignal): Promise<void> {
    const seconds = error.retryAfter ?? DEFAULT_PAUSE_SECONDS;
    this.change(index, { state: 'waiting' });
    this.set({ phase: 'pausing', resumesAt: Date.now() + seconds * 1000, reason: error.message });
    await wait(seconds, signal);
    if (!signal.aborted) this.set({ phase: 'running', resumesAt: undefined, reason: undefined });
  }

  private change(index: number, changes: Partial<BulkLine>): void {
    const lines = this.state.lines.map((line, at) => (at === index ? { ...line, ...changes } : line));
    this.set({ lines });
  }

  private set(changes: Partial<BulkState>): void {
    this.state = { ...this.state, ...changes };
    for (const listener of this.listeners) listener();
  }
}
