import type { EmbedProblem } from './problem.js';

export type EmbedAccess = 'view' | 'edit';

/** Response of `POST /api/reports/:id/embed-token`. */
export interface EmbedToken {
  /** For `accessToken` of powerbi-client, with `tokenType: 1`. */
  token: string;
  token_id: string;
  expires_at: string;
  /** Seconds after the response. */
  expires_in: number;
  refresh_in: number;
  embed_url: string;
  report_id: string;
  pbi_report_id: string;
  access: EmbedAccess;
}

/** The service and the caller's credentials. */
export interface ServiceOptions {
  /** URL of the service, e.g. `https://vitrine.example`. Default: the origin of the page. */
  baseUrl?: string;
  /**
   * Returns the bearer token and is called for each request; null when no user is signed in. `refused` is true when the
   * service rejected the last token: return a new one. An error counts as temporary. Omit it when `fetch` authenticates the requests.
   */
  accessToken?: (refused: boolean) => string | null | undefined | Promise<string | null | undefined>;
  /** Replaces the browser's `fetch`, e.g. with a client that authenticates by itself, or with a route of a backend. */
  fetch?: (url: string, init: RequestInit) => Promise<Response>;
  /** Whether views of attached reports are reported to the service. Default: true. */
  reportUsage?: boolean;
}

export interface KeepOptions {
  /** The `id` of a report in Vitrine, not Power BI's. */
  reportId: string;
  access?: EmbedAccess;
  /** Ends the subscription when aborted, like `stop()`. */
  signal?: AbortSignal;
  /** Called with the first token and with each renewed one. */
  onToken?: (token: EmbedToken) => void;
  /**
   * Called when a renewal failed and is retried. `kind` is `unavailable`, `signed_out`, or `failed` while the last
   * token is valid.
   */
  onTrouble?: (problem: EmbedProblem) => void;
  onRecovered?: () => void;
  /** Called when the user has no access to the report, or the report no longer exists. The subscription has ended. */
  onRevoked?: (problem: EmbedProblem) => void;
  /** Called when there is no token and a retry would not help. The subscription has ended. */
  onFailed?: (problem: EmbedProblem) => void;
  /** Called when the last token expired before it could be renewed. Renewal continues. */
  onExpired?: () => void;
}

/** The part of a `powerbi-client` report that is used. */
export interface PowerBiReport {
  element: EventTarget;
  iframe?: { readonly isConnected: boolean };
  config: { accessToken?: string };
  setAccessToken(token: string): Promise<unknown>;
  reload(): Promise<unknown>;
  getActivePage?(): Promise<{ name: string; displayName?: string }>;
}

export interface KeptToken {
  /**
   * The valid token, or the next one. Rejects with an `EmbedProblem` when none will follow, with an `AbortError` after
   * `stop()`.
   */
  token(): Promise<EmbedToken>;
  /**
   * Passes each new token to a report that was embedded with this one, and reports its view. Returns a function that
   * detaches the report. Has no effect after the end.
   */
  attach(report: PowerBiReport): () => void;
  /** Requests a new token as soon as the minimum delay between requests allows. */
  renew(): void;
  /** Ends the subscription: no further callbacks, timers or requests. */
  stop(): void;
}

export interface EmbedTokens {
  /** Keeps a token valid. Concurrent subscriptions to the same report share one token and its renewal. */
  keep(options: KeepOptions): KeptToken;
}
