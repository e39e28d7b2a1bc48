import type { TokenRenewer } from './token-renewer.js';
import type { EmbedToken, PowerBiReport } from './types.js';

/** A token younger than this cannot be the one that expired. */
const FRESH_MS = 10_000;

/**
 * Passes tokens to a powerbi-client report, whose own `accessTokenProvider` supports only users' Entra tokens. Listens
 * on the element, because powerbi-client-react removes all handlers of the report when its own handlers change.
 */
export class Attachment {
  /** The token whose expiry the report signaled; each expiry is handled once. */
  private ended: EmbedToken | undefined;
  private mustReload = false;

  constructor(
    readonly report: PowerBiReport,
    private readonly renewer: TokenRenewer,
    private readonly onDetach: () => void,
  ) {
    report.element.addEventListener('loaded', this.onLoaded);
    report.element.addEventListener('error', this.onError);
    this.onLoaded();
  }

  detach(): void {
    this.report.element.removeEventListener('loaded', this.onLoaded);
    this.report.element.removeEventListener('error', this.onError);
    this.onDetach();
  }

  async setToken({ token }: EmbedToken): Promise<void> {
    const { mustReload } = this;
    this.mustReload = false;
    try {
      await this.report.setAccessToken(token);
      // After an expiry, a report accepts a new token but shows nothing until it is reloaded.
      if (mustReload) await this.report.reload();
    } catch {
      // The report is gone or not loaded yet; one that still exists raises `loaded` or `error` and gets the token then.
    }
  }

  /** The token may have been renewed since the report was embedded. */
  readonly onLoaded = (): void => {
    const { isActive } = this.renewer;
    if (isActive !== undefined && isActive.token !== this.report.config.accessToken)
      void this.setToken(isActive);
  };

  private readonly onError = (event: Event): void => {
    const { detail } = event as CustomEvent<{ message?: unknown } | null>;
    if (!/TokenExpired/i.test(String(detail?.message))) return;
    this.mustReload = true;
    const { held, isActive, age } = this.renewer;
    if (this.ended === held) return;
    this.ended = held;
    if (isActive !== undefined && age < FRESH_MS) void this.setToken(isActive);
    else this.renewer.expire();
  };
}
