import { ProblemError, problemOf } from '../api/problem.js';
import type { components } from '../api/schema.js';
import { subjectOf } from './subject.js';

type Grants = components['schemas'];
export type SignIn = Grants['PasswordGrant'] | Grants['AuthorizationCodeGrant'] | Grants['InvitationGrant'];

/** `unknown` until the cookie was tried; `unreachable` while the service does not confirm or reject it. */
export type SessionState = 'unknown' | 'signed_in' | 'signed_out' | 'unreachable';

/** Why a session ended: signed out here, signed out in another tab, or ended by the service. */
export type SessionEnd = 'signed_out' | 'signed_out_elsewhere' | 'ended';

/** Messages between the tabs of a browser. */
export type TabMessage = 'signed_in' | 'signed_out';

export interface Environment {
  /** Throws ProblemError when there is no response. */
  post: (path: string, body?: object) => Promise<Response>;
  /** Serializes work across all tabs: each of these requests replaces the cookie that the tabs share. */
  exclusive: <T>(work: () => Promise<T>) => Promise<T>;
  broadcast: (message: TabMessage) => void;
  onMessage: (listener: (message: TabMessage) => void) => void;
  /** Milliseconds of a monotonic clock. */
  now: () => number;
}

interface AccessToken {
  value: string;
  staleAt: number;
}

interface Details {
  person?: string;
  ended?: SessionEnd;
  problem?: ProblemError;
}

/** Renewed this long before it ends. */
const MARGIN_SECONDS = 60;
/** Status of a renewal without a session cookie. */
const NO_COOKIE = 204;

/** The one session of this tab. The access token lives in memory only; the refresh token in a cookie that no script reads. */
export class SessionStore {
  state: SessionState = 'unknown';
  /** Id of the signed-in person. */
  person?: string;
  /** How the previous session in this tab ended. */
  ended?: SessionEnd;
  /** While unreachable: why. */
  problem?: ProblemError;
  private token?: AccessToken;
  private renewing?: Promise<string | undefined>;
  /** Counts sign-ins, renewals and ends: a renewal that was requested before a change is not sent. */
  private changes = 0;
  private readonly listeners = new Set<() => void>();

  constructor(private readonly environment: Environment) {
    environment.onMessage((message) => this.onMessage(message));
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  readonly snapshot = (): SessionState => this.state;

  /** A token that does not expire soon; undefined if no user is signed in. Throws ProblemError if that cannot be determined. */
  async accessToken(): Promise<string | undefined> {
    if (this.state === 'signed_out') return undefined;
    if (this.token !== undefined && this.environment.now() < this.token.staleAt) return this.token.value;
    return this.renew();
  }

  /** One renewal at a time; concurrent callers share it. */
  renew(): Promise<string | undefined> {
    const requestedAt = this.changes;
    this.renewing ??= this.environment
      .exclusive(() => this.renewNow(requestedAt))
      .finally(() => (this.renewing = undefined));
    return this.renewing;
  }

  /** The token to try after the service rejected this one: a newer one, else a renewal. */
  async replacementFor(refused: string | undefined): Promise<string | undefined> {
    if (this.state === 'signed_out') return undefined;
    return this.token !== undefined && this.token.value !== refused ? this.token.value : this.renew();
  }

  /** The service refuses this token although it is fresh: if it is still ours, the session is over. */
  refused(token: string): void {
    if (this.token?.value === token) this.end('ended');
  }

  signIn(grant: SignIn): Promise<void> {
    return this.environment.exclusive(async () => {
      const response = await this.environment.post('login/session', grant);
      this.keep(response, await bodyOf(response));
      this.environment.broadcast('signed_in');
    });
  }

  signOut(): Promise<void> {
    return this.environment.exclusive(async () => {
      const response = await this.environment.post('logout');
      if (!response.ok) throw problemOf(response, await bodyOf(response));
      this.environment.broadcast('signed_out');
      this.end('signed_out');
    });
  }

  end(how: SessionEnd): void {
    const wasSignedIn = this.person !== undefined;
    this.token = undefined;
    this.changes += 1;
    this.become('signed_out', { ended: wasSignedIn ? how : this.ended });
  }

  /** `requestedAt`: value of `changes` at the request for the renewal. */
  private async renewNow(requestedAt: number): Promise<string | undefined> {
    if (requestedAt !== this.changes) return this.token?.value;
    try {
      const response = await this.requestRenewal();
      const body = await bodyOf(response);
      if (requestedAt !== this.changes) return this.token?.value;
      if (response.status === NO_COOKIE) this.end('ended');
      else this.keep(response, body);
      return this.token?.value;
    } catch (error) {
      return this.renewalFailed(error);
    }
  }

  /**
   * Once more at once when there is no response: the service may have replaced the cookie's token, and accepts the previous
   * one only for a short time.
   */
  private async requestRenewal(): Promise<Response> {
    try {
      return await this.environment.post('login/refresh');
    } catch {
      return this.environment.post('login/refresh');
    }
  }

  private renewalFailed(error: unknown): undefined {
    if (!(error instanceof ProblemError)) throw error;
    if (error.code === 'invalid_refresh_token' || error.code === 'authentication_required') {
      this.end('ended');
      return undefined;
    }
    const isUndetermined = this.state === 'unknown' || this.state === 'unreachable';
    if (isUndetermined) this.become('unreachable', { problem: error });
    throw error;
  }

  private onMessage(message: TabMessage): void {
    if (message === 'signed_out') {
      this.end('signed_out_elsewhere');
      return;
    }
    // The cookie is another session's by now, perhaps another person's.
    this.token = undefined;
    this.renew().catch(() => undefined);
  }

  private keep(response: Response, body: unknown): void {
    if (!isToken(body)) throw problemOf(response, body);
    const { access_token, expires_in } = body;
    const seconds = Math.max(expires_in - MARGIN_SECONDS, expires_in / 2);
    this.token = { value: access_token, staleAt: this.environment.now() + seconds * 1000 };
    this.changes += 1;
    this.become('signed_in', { person: subjectOf(access_token) });
  }

  private become(state: SessionState, { person, ended, problem }: Details = {}): void {
    const isSame = this.state === state && this.person === person && this.problem === problem;
    Object.assign(this, { state, person, ended, problem });
    if (!isSame) for (const listener of this.listeners) listener();
  }
}

const bodyOf = (response: Response): Promise<unknown> => response.json().catch(() => undefined);

const isToken = (body: unknown): body is Grants['TokenResponseDto'] =>
  typeof body === 'object' && body !== null && 'access_token' in body && 'expires_in' in body;
