import type { TokenRenewer } from './token-renewer.js';
import type { EmbedToken, PowerBiReport } from './types.js';

/** Younger than this, a token is not what ran out. */
const FRESH_MS = 10_000;

/**
 * Hands tokens to a report of powerbi-client. Its own `accessTokenProvider` is for people's Entra tokens only. Listened
 * to is its element: powerbi-client-react takes all handlers of the report itself off when its own change.
 */
export class Attachment {
  /** The token whose end the report told: each is answered once. */
  private ended: EmbedToken | undefined;
  private mustReload = false;

  constructor(
    private readonly report: PowerBiReport,
    private readonly renewer: TokenRenewer,
  ) {
    report.element.addEventListener('loaded', this.onLoaded);
    report.element.addEventListener('error', this.onError);
    this.onLoaded();
  }

  detach(): void {
    this.report.element.removeEventListener('loaded', this.onLoaded);
    this.report.element.removeEventListener('error', this.onError);
  }

  async setToken({ token }: EmbedToken): Promise<void> {
    const { mustReload } = this;
    this.mustReload = false;
    try {
      await this.report.setAccessToken(token);
      // Once it ran out, a report takes a new token but shows nothing until it is loaded again.
      if (mustReload) await this.report.reload();
    } catch {
      // It is gone, or not loaded yet; where it lives, it raises `loaded` or `error` and gets the token then.
    }
  }

  /** The token may have been renewed between embedding and now. */
  private readonly onLoaded = (): void => {
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
