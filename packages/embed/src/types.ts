import type { EmbedProblem } from './problem.js';

export type EmbedAccess = 'view' | 'edit';

/** What `POST /api/reports/:id/embed-token` answers. */
export interface EmbedToken {
  /** For `accessToken` of Power BI's client, with `tokenType: 1`. */
  token: string;
  token_id: string;
  expires_at: string;
  /** Seconds from the answer on. */
  expires_in: number;
  refresh_in: number;
  embed_url: string;
  report_id: string;
  pbi_report_id: string;
  access: EmbedAccess;
}

/** The service, and who asks it. */
export interface ServiceOptions {
  /** Address of the service, e.g. `https://vitrine.example`. Left out: the origin of the page. */
  baseUrl?: string;
  /**
   * Gives the bearer token to ask with, and is asked each time; null when nobody is signed in. `refused` is true when
   * the service took the last one no more: get a new one. Left out where `fetch` brings along what is needed.
   */
  accessToken?: (refused: boolean) => string | null | undefined | Promise<string | null | undefined>;
  /** Asks in the place of the browser's own `fetch`, e.g. a client that signs in by itself, or a route of a backend. */
  fetch?: (url: string, init: RequestInit) => Promise<Response>;
}

export interface KeepOptions {
  /** The `id` of a report in Vitrine, not Power BI's. */
  reportId: string;
  access?: EmbedAccess;
  /** The same as `stop()`. */
  signal?: AbortSignal;
  /** The first token and each that follows. */
  onToken?: (token: EmbedToken) => void;
  /** Not renewed for now, and tried again. `kind` is `unavailable`, `signed_out`, or `failed` while the last token lives. */
  onTrouble?: (problem: EmbedProblem) => void;
  onRecovered?: () => void;
  /** The person may not see the report, or no longer. Nothing follows. */
  onRevoked?: (problem: EmbedProblem) => void;
  /** There is no token, and trying again would not bring one. Nothing follows. */
  onFailed?: (problem: EmbedProblem) => void;
  /** The last token ran out and there is no other yet. Goes on being tried. */
  onExpired?: () => void;
}

/** What is used of a report of `powerbi-client`. */
export interface PowerBiReport {
  element: EventTarget;
  config: { accessToken?: string };
  setAccessToken(token: string): Promise<unknown>;
  reload(): Promise<unknown>;
}

export interface KeptToken {
  /** The living token, or the next one. Rejects with an `EmbedProblem` when none will come. */
  token(): Promise<EmbedToken>;
  /** Hands each new token to a report that was embedded with this one, until the answer is called. */
  attach(report: PowerBiReport): () => void;
  /** Asks for a new one at once. */
  renew(): void;
  /** Ends it: no callback, no timer, no call is left. */
  stop(): void;
}

export interface EmbedTokens {
  /** Keeps a token alive. Who keeps the same report open at the same time shares one token and its renewal. */
  keep(options: KeepOptions): KeptToken;
}
