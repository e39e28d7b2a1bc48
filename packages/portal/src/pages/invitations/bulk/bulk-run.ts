import { v4 as uuidv4 } from 'uuid';
import { t } from 'i18next';
import { ProblemError, translatedDetail } from '../../../api/problem.js';
import { textOfStored, textsOf } from '../../../api/problem-texts.js';
import type { BulkAccess, BulkResult, BulkUser } from '../use-invitations.js';
import { isUnsent, type Outcome, outcomeOf } from '../invitation-texts.js';
import type { ListedUser } from './parse-list.js';

export type LineState = 'waiting' | 'sending' | 'failed' | Outcome | 'has_all';

export interface BulkLine extends ListedUser {
  key: string;
  state: LineState;
  /** Why it failed. */
  reason?: string;
  /** Present if no email is sent. */
  link?: string;
  /** Neither an email nor a link. */
  isUnsent?: boolean;
}

export interface BulkState {
  lines: BulkLine[];
  phase: 'running' | 'pausing' | 'stopping' | 'stopped' | 'finished';
  /** When it resumes automatically, in the time of `Date`. */
  resumesAt?: number;
  /** Why it is paused or was stopped. */
  reason?: string;
}

export const isActive = ({ phase }: BulkState): boolean => phase !== 'stopped' && phase !== 'finished';

type InviteAll = (users: BulkUser[], access: BulkAccess, signal: AbortSignal) => Promise<BulkResult[]>;

/** If the response has no `Retry-After`. */
const DEFAULT_PAUSE_SECONDS = 5;
const MAX_ATTEMPTS = 3;
/** Lines of one request. The route accepts 500; fewer show the progress, and stop sooner. */
const LINES = 25;

const wait = (seconds: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, seconds * 1000);
    signal.addEventListener('abort', done);
    if (signal.aborted) done();
  });

const detailOf = ({ detail }: { detail: string }): string =>
  translatedDetail(detail) ?? t('This value is not accepted.');

const isTemporary = (problem: BulkResult['problem']): boolean =>
  problem?.code === 'rate_limited' || problem?.code === 'service_unavailable';

/** Invites the users of a list, one request after the other. */
export class BulkRun {
  private state: BulkState;
  /** No further request is sent. */
  private stopping = new AbortController();
  /** The pending request is aborted too. */
  private leaving = new AbortController();
  private readonly listeners = new Set<() => void>();

  constructor(
    people: readonly ListedUser[],
    private readonly access: BulkAccess,
    private readonly invite: InviteAll,
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
    if (isActive(this.state)) return;
    this.stopping = new AbortController();
    this.leaving = new AbortController();
    const { signal } = this.stopping;
    this.set({ phase: 'running', reason: undefined });
    try {
      for (let lines = this.next(); lines.length > 0 && !signal.aborted; lines = this.next()) {
        await this.send(lines, signal);
      }
    } finally {
      this.set({ phase: this.next().length > 0 ? 'stopped' : 'finished' });
    }
  }

  /** After the pending request: the links of its invitations are returned only once. */
  stop(reason?: string): void {
    this.stopping.abort();
    this.set({ phase: 'stopping', resumesAt: undefined, reason });
  }

  /** The page that shows the links is left. */
  leave(): void {
    this.leaving.abort();
    this.stopping.abort();
  }

  retryFailed(): Promise<void> {
    const lines = this.state.lines.map((line) =>
      line.state === 'failed' ? { ...line, state: 'waiting' as const, reason: undefined } : line,
    );
    this.set({ lines });
    return this.start();
  }

  private next(): BulkLine[] {
    return this.state.lines.filter(({ state }) => state === 'waiting').slice(0, LINES);
  }

  private async send(lines: readonly BulkLine[], signal: AbortSignal, tried = 1): Promise<void> {
    const users = lines.map(({ email, name, role }) => ({
      email,
      ...(name !== undefined && { name }),
      ...(role !== undefined && { role }),
    }));
    this.change(lines, () => ({ state: 'sending' }));
    try {
      const results = await this.invite(users, this.access, this.leaving.signal);
      this.change(lines, (index) => this.changesOf(results[index]));
      const limited = results.map(({ problem }) => problem).find(isTemporary);
      if (limited !== undefined) await this.pause(textOfStored(limited), signal, limited.retry_after);
    } catch (error) {
      if (error instanceof ProblemError) return this.failed(lines, error, signal, tried);
      this.change(lines, () => ({ state: 'waiting' }));
      if (!this.leaving.signal.aborted) throw error;
    }
  }

  private changesOf(result: BulkResult | undefined): Partial<BulkLine> {
    const { invitation, created = false, problem } = result ?? {};
    if (invitation !== undefined) {
      const invited = { invitation, isNew: created };
      return { state: outcomeOf(invited), link: invitation.accept_url, isUnsent: isUnsent(invited) };
    }
    if (problem?.code === 'already_has_access') return { state: 'has_all' };
    if (isTemporary(problem)) return { state: 'waiting' };
    return { state: 'failed', reason: problem && textOfStored(problem) };
  }

  private async failed(
    lines: readonly BulkLine[],
    error: ProblemError,
    signal: AbortSignal,
    tried: number,
  ): Promise<void> {
    const { title, text } = textsOf(error);
    if (error.status === 429) {
      this.change(lines, () => ({ state: 'waiting' }));
      return this.pause(`${title}.`, signal, error.retryAfter);
    }
    if (error.status === 0) {
      this.change(lines, () => ({ state: 'waiting' }));
      return this.stop(title);
    }
    if (error.status >= 500 && tried < MAX_ATTEMPTS) {
      await wait(error.retryAfter ?? tried, signal);
      if (!signal.aborted) return this.send(lines, signal, tried + 1);
      return this.change(lines, () => ({ state: 'waiting' }));
    }
    const details = error.problem?.errors?.map(detailOf).join(' ');
    this.change(lines, () => ({ state: 'failed', reason: details ?? `${title}. ${text}` }));
  }

  /** The lines wait like the others; after the pause they are the first again. */
  private async pause(reason: string, signal: AbortSignal, seconds = DEFAULT_PAUSE_SECONDS): Promise<void> {
    if (signal.aborted) return;
    this.set({ phase: 'pausing', resumesAt: Date.now() + seconds * 1000, reason });
    await wait(seconds, signal);
    if (!signal.aborted) this.set({ phase: 'running', resumesAt: undefined, reason: undefined });
  }

  private change(changed: readonly BulkLine[], changesOf: (index: number) => Partial<BulkLine>): void {
    const positions = new Map(changed.map(({ key }, index) => [key, index]));
    const lines = this.state.lines.map((line) => {
      const index = positions.get(line.key);
      return index === undefined ? line : { ...line, ...changesOf(index) };
    });
    this.set({ lines });
  }

  private set(changes: Partial<BulkState>): void {
    this.state = { ...this.state, ...changes };
    for (const listener of this.listeners) listener();
  }
}
