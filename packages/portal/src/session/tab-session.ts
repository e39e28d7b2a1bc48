import { ProblemError, problemOf } from '../api/problem.js';
import type { components } from '../api/schema.js';
import { subjectOf } from './subject.js';

type Grants = components['schemas'];
export type SignIn = Grants['PasswordGrant'] | Grants['AuthorizationCodeGrant'] | Grants['InvitationGrant'];

/** `unknown` until the cookie was tried; `unreachable` while that gets no answer that tells. */
export type SessionState = 'unknown' | 'signed_in' | 'signed_out' | 'unreachable';

/** Why somebody who was signed in is not any more: by a click here or in another tab, or the service ended it. */
export type End = 'signed_out' | 'signed_out_elsewhere' | 'ended';

/** What tabs tell each other. */
export type TabMessage = 'signed_in' | 'signed_out';

export interface Surroundings {
  /** Throws ProblemError when there is no answer. */
  post: (path: string, body?: object) => Promise<Response>;
  /** One after the other, in whatever tab: each of these requests replaces the cookie that all tabs share. */
  alone: <T>(work: () => Promise<T>) => Promise<T>;
  tell: (message: TabMessage) => void;
  hear: (listener: (message: TabMessage) => void) => void;
  /** Milliseconds on a clock that nobody sets. */
  now: () => number;
}

interface AccessToken {
  value: string;
  staleAt: number;
}

interface What {
  person?: string;
  ended?: End;
  problem?: ProblemError;
}

/** Renewed this long before it ends. */
const MARGIN_SECONDS = 60;

/** The one session of this tab. The access token lives in memory only; the refresh token in a cookie that no script reads. */
export class TabSession {
  state: SessionState = 'unknown';
  /** Id of the signed-in person. */
  person?: string;
  /** Of somebody who was signed in here: how that ended. */
  ended?: End;
  /** While unreachable: why. */
  problem?: ProblemError;
  private token?: AccessToken;
  private renewing?: Promise<string | undefined>;
  /** Counts sign-ins, renewals and ends: what was asked for before one of them is answered by it. */
  private changes = 0;
  private readonly listeners = new Set<() => void>();

  constructor(private readonly around: Surroundings) {
    around.hear((message) => this.heard(message));
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  readonly snapshot = (): SessionState => this.state;

  /** A token that is still good for a while; undefined: nobody is signed in. Throws ProblemError when that cannot be told. */
  async accessToken(): Promise<string | undefined> {
    if (this.state === 'signed_out') return undefined;
    if (this.token !== undefined && this.around.now() < this.token.staleAt) return this.token.value;
    return this.renew();
  }

  /** One renewal at a time, however many ask. */
  renew(): Promise<string | undefined> {
    const asked = this.changes;
    this.renewing ??= this.around
      .alone(() => this.renewNow(asked))
      .finally(() => (this.renewing = undefined));
    return this.renewing;
  }

  /** The token to try after the service refused this one: a newer one if there is one by now. */
  async instead(refused: string | undefined): Promise<string | undefined> {
    if (this.state === 'signed_out') return undefined;
    return this.token !== undefined && this.token.value !== refused ? this.token.value : this.renew();
  }

  /** The service refuses this token although it is fresh: if it is still ours, the session is over. */
  refused(token: string): void {
    if (this.token?.value === token) this.end('ended');
  }

  signIn(grant: SignIn): Promise<void> {
    return this.around.alone(async () => {
      const response = await this.around.post('login/session', grant);
      this.keep(response, await bodyOf(response));
      this.around.tell('signed_in');
    });
  }

  signOut(): Promise<void> {
    return this.around.alone(async () => {
      const response = await this.around.post('logout');
      if (!response.ok) throw problemOf(response, await bodyOf(response));
      this.around.tell('signed_out');
      this.end('signed_out');
    });
  }

  end(how: End): void {
    const wasSignedIn = this.person !== undefined;
    this.token = undefined;
    this.changes += 1;
    this.become('signed_out', { ended: wasSignedIn ? how : this.ended });
  }

  /** `asked`: what `changes` was when the renewal was asked for. */
  private async renewNow(asked: number): Promise<string | undefined> {
    if (asked !== this.changes) return this.token?.value;
    try {
      const response = await this.around.post('login/refresh');
      const body = await bodyOf(response);
      return asked === this.changes ? this.keep(response, body) : this.token?.value;
    } catch (error) {
      return this.notRenewed(error);
    }
  }

  private notRenewed(error: unknown): undefined {
    if (!(error instanceof ProblemError)) throw error;
    if (error.code === 'invalid_refresh_token') {
      this.end('ended');
      return undefined;
    }
    const isUntold = this.state === 'unknown' || this.state === 'unreachable';
    if (isUntold) this.become('unreachable', { problem: error });
    throw error;
  }

  private heard(message: TabMessage): void {
    if (message === 'signed_out') {
      this.end('signed_out_elsewhere');
      return;
    }
    // The cookie is another session's by now, perhaps another person's.
    this.token = undefined;
    this.renew().catch(() => undefined);
  }

  private keep(response: Response, body: unknown): string {
    if (!isToken(body)) throw problemOf(response, body);
    const { access_token, expires_in } = body;
    const seconds = Math.max(expires_in - MARGIN_SECONDS, expires_in / 2);
    this.token = { value: access_token, staleAt: this.around.now() + seconds * 1000 };
    this.changes += 1;
    this.become('signed_in', { person: subjectOf(access_token) });
    return access_token;
  }

  private become(state: SessionState, { person, ended, problem }: What = {}): void {
    const isSame = this.state === state && this.person === person && this.problem === problem;
    Object.assign(this, { state, person, ended, problem });
    if (!isSame) for (const listener of this.listeners) listener();
  }
}

const bodyOf = (response: Response): Promise<unknown> => response.json().catch(() => undefined);

const isToken = (body: unknown): body is Grants['TokenResponseDto'] =>
  typeof body === 'object' && body !== null && 'access_token' in body && 'expires_in' in body;
