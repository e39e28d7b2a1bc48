import type { Keeper } from './keeper.js';
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
    private readonly keeper: Keeper,
  ) {
    report.element.addEventListener('loaded', this.onLoaded);
    report.element.addEventListener('error', this.onError);
    this.onLoaded();
  }

  detach(): void {
    this.report.element.removeEventListener('loaded', this.onLoaded);
    this.report.element.removeEventListener('error', this.onError);
  }

  async give({ token }: EmbedToken): Promise<void> {
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
    const { living } = this.keeper;
    if (living !== undefined && living.token !== this.report.config.accessToken) void this.give(living);
  };

  private readonly onError = (event: Event): void => {
    const { detail } = event as CustomEvent<{ message?: unknown } | null>;
    if (!/TokenExpired/i.test(String(detail?.message))) return;
    this.mustReload = true;
    const { held, living, age } = this.keeper;
    if (this.ended === held) return;
    this.ended = held;
    if (living !== undefined && age < FRESH_MS) void this.give(living);
    else this.keeper.lapse();
  };
}
