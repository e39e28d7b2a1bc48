import type { EmbedProblem } from './problem.js';
import type { EmbedToken } from './types.js';
import { sleepAwareClock, type Environment } from './environment.js';
import { withTimeout } from './request-timeout.js';

/** Receives the events of a token. */
export interface Listener {
  onToken(token: EmbedToken): void;
  onTrouble(problem: EmbedProblem): void;
  onRecovered(): void;
  onExpired(): void;
  onEnded(problem: EmbedProblem): void;
}

interface Parts {
  environment: Environment;
  requestToken: (signal: AbortSignal) => Promise<EmbedToken>;
  /** Called when no listener is left or no further token follows. */
  onDone: () => void;
}

/** Maximum timer interval: timers are throttled in hidden pages and stop while the machine sleeps. */
const POLL_INTERVAL_MS = 10_000;
const FIRST_RETRY_MS = 1000;
const LAST_RETRY_MS = 60_000;

/** The code, and that of the cause: why the host page has no access token. */
const reasonOf = (problem: EmbedProblem | undefined): string =>
  [problem?.code, (problem?.cause as { code?: unknown } | undefined)?.code].join(' ');

/** Renews the token of one report for all listeners, with one timer and one request at a time. */
export class TokenRenewer {
  held: EmbedToken | undefined;
  private readonly listeners = new Set<Listener>();
  private readonly now: () => number;
  private readonly removeWakeListener: () => void;
  private cancelTimer = (): void => undefined;
  private flight: AbortController | undefined;
  private problem: EmbedProblem | undefined;
  private failures = 0;
  private receivedAt = -Infinity;
  private expiresAt = -Infinity;
  /** `renewAt`: time of the next request. `notBefore`: earliest time, also for an explicit `renew()`. */
  private renewAt = -Infinity;
  private notBefore = -Infinity;
  private isExpiryNotified = false;
  private isDone = false;

  constructor(private readonly parts: Parts) {
    this.now = sleepAwareClock(parts.environment);
    this.removeWakeListener = parts.environment.onWake(() => this.wake());
  }

  get isActive(): EmbedToken | undefined {
    return this.now() < this.expiresAt ? this.held : undefined;
  }

  /** Milliseconds since the token was received. */
  get age(): number {
    return this.now() - this.receivedAt;
  }

  /** Epoch milliseconds of Power BI's clock; undefined before the first token. */
  get serverTime(): number | undefined {
    const { held } = this;
    return held && Date.parse(held.expires_at) - held.expires_in * 1000 + this.age;
  }

  add(listener: Listener): void {
    this.listeners.add(listener);
    // Deferred, so that no callback runs before the caller has received the subscription.
    queueMicrotask(() => this.notifyNew(listener));
  }

  remove(listener: Listener): void {
    this.listeners.delete(listener);
    if (this.listeners.size === 0) this.finish();
  }

  renew(): void {
    this.renewAt = this.notBefore;
    this.checkExpiry();
  }

  /** Power BI rejects the token, whatever expiry was calculated. */
  expire(): void {
    this.expiresAt = -Infinity;
    this.renew();
  }

  /** Sends the current state to a listener that subscribes late. */
  private notifyNew(listener: Listener): void {
    const isListening = (): boolean => this.listeners.has(listener);
    if (isListening() && this.isActive !== undefined) listener.onToken(this.isActive);
    if (isListening() && this.problem !== undefined) listener.onTrouble(this.problem);
    if (isListening() && this.isExpiryNotified) listener.onExpired();
    this.checkExpiry();
  }

  private wake(): void {
    if (this.problem === undefined) this.checkExpiry();
    else this.renew();
  }

  /** Does what is due and schedules the next check. */
  private checkExpiry(): void {
    if (this.isDone) return;
    this.cancelTimer();
    const now = this.now();
    if (this.problem !== undefined && now >= this.expiresAt) this.notifyExpiry();
    if (this.isDone || this.flight !== undefined) return;
    if (now >= this.renewAt) {
      void this.request();
      return;
    }
    const next = this.isActive && this.problem ? Math.min(this.renewAt, this.expiresAt) : this.renewAt;
    this.cancelTimer = this.parts.environment.after(Math.min(Math.ceil(next - now), POLL_INTERVAL_MS), () =>
      this.checkExpiry(),
    );
  }

  private async request(): Promise<void> {
    const flight = new AbortController();
    this.flight = flight;
    const requestedAt = this.now();
    try {
      const { environment, requestToken } = this.parts;
      this.receive(await withTimeout(environment, flight, requestToken), requestedAt);
    } catch (error) {
      this.fail(error as EmbedProblem);
    }
    this.flight = undefined;
    this.checkExpiry();
  }

  /** Lifetimes count from the start of the request, so that the renewal is early rather than late. */
  private receive(token: EmbedToken, requestedAt: number): void {
    if (this.isDone) return;
    const hadProblem = this.problem !== undefined;
    this.held = token;
    this.problem = undefined;
    this.failures = 0;
    this.isExpiryNotified = false;
    this.receivedAt = this.now();
    this.expiresAt = requestedAt + token.expires_in * 1000;
    this.notBefore = requestedAt + FIRST_RETRY_MS;
    this.renewAt = Math.max(requestedAt + token.refresh_in * 1000, this.notBefore);
    this.notify((listener) => listener.onToken(token));
    if (hadProblem) this.notify((listener) => listener.onRecovered());
  }

  /** While the last token is valid, every failure except a revocation may be temporary. */
  private fail(problem: EmbedProblem): void {
    if (this.isDone) return;
    const { kind, retryAfter = 0 } = problem;
    if (kind === 'revoked' || (kind === 'failed' && this.isActive === undefined)) {
      const listeners = [...this.listeners];
      // First, so that who subscribes again in a callback gets a new renewer.
      this.finish();
      for (const listener of listeners) listener.onEnded(problem);
      return;
    }
    const pause = Math.min(FIRST_RETRY_MS * 2 ** this.failures, LAST_RETRY_MS);
    this.failures += 1;
    const now = this.now();
    this.notBefore = now + Math.max(retryAfter * 1000, FIRST_RETRY_MS);
    // Jitter, so that clients do not retry at once.
    this.renewAt = Math.max(this.notBefore, now + pause / 2) + (this.parts.environment.random() * pause) / 2;
    const isNews = reasonOf(problem) !== reasonOf(this.problem);
    this.problem = problem;
    if (isNews) this.notify((listener) => listener.onTrouble(problem));
  }

  private notifyExpiry(): void {
    if (this.held === undefined || this.isExpiryNotified) return;
    this.isExpiryNotified = true;
    this.notify((listener) => listener.onExpired());
  }

  /** A callback may add listeners, which `notifyNew` notifies, and remove others. */
  private notify(what: (listener: Listener) => void): void {
    const listeners = [...this.listeners];
    for (const listener of listeners) if (this.listeners.has(listener)) what(listener);
  }

  private finish(): void {
    if (this.isDone) return;
    this.isDone = true;
    this.listeners.clear();
    this.cancelTimer();
    this.removeWakeListener();
    this.flight?.abort();
    this.parts.onDone();
  }
}
