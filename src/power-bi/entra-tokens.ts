import { Logger } from '@nestjs/common';
import type { Clock } from '../core/clock.js';
import { abortable } from '../core/async/abortable.js';
import type { EntraCredential, EntraToken } from './entra-credential.js';
import type { Timing } from './timing.js';

interface HeldToken extends EntraToken {
  askedAt: Date;
  /** Lifetime at issue, in seconds. */
  life: number;
  /** Refresh margin before expiry, in seconds. Differs between replicas (jitter). */
  early: number;
}

const EARLY_SECONDS = 300;
const JITTER_SECONDS = 30;
/** A token with less time left could expire in transit. */
const MIN_SECONDS = 10;
/** A token rejected this soon after its issue was not rejected because of its age, so a new one would not help. */
const YOUNG_SECONDS = 10;

/** The original network error, unwrapped from the MSAL error that carries it (`MsalNetwork`). */
const carriedError = (error: unknown): unknown =>
  error instanceof Error && 'carried' in error ? error.carried : error;

/**
 * The service principal's access token, shared by all callers. It is refreshed in the background before it expires, and
 * immediately for a caller that needs a longer lifetime. Concurrent refreshes share one call.
 */
export class EntraTokens {
  private readonly logger = new Logger(EntraTokens.name);
  private held?: HeldToken;
  private inFlight?: Promise<HeldToken>;
  /** Error of the last token request; undefined after a success. */
  lastError?: unknown;

  constructor(
    private readonly credential: EntraCredential,
    private readonly clock: Clock,
    private readonly timing: Timing,
  ) {}

  /**
   * Returns a token with at least `minimumSeconds` left. When Entra issues tokens with shorter lifetimes, half of the
   * lifetime is the minimum. Throws UpstreamError, or the reason of `signal`.
   */
  async get(minimumSeconds = 0, signal?: AbortSignal): Promise<string> {
    const { held } = this;
    if (held === undefined || this.left(held) < needed(held, minimumSeconds)) {
      return (await abortable(this.refresh(), signal)).accessToken;
    }
    // Background refresh: callers use the current token meanwhile; a failure is kept in `lastError` for the health
    // check.
    if (this.left(held) < held.early) this.refresh().catch(() => undefined);
    return held.accessToken;
  }

  /** Replaces a token that Power BI rejected; undefined when a new one would not help. */
  async replace(refused: string, signal?: AbortSignal): Promise<string | undefined> {
    const { held } = this;
    if (held !== undefined && held.accessToken !== refused) return held.accessToken;
    return this.renew(YOUNG_SECONDS, signal);
  }

  /** Refreshes the token; undefined when the current one is younger than `seconds`. */
  async renew(seconds: number, signal?: AbortSignal): Promise<string | undefined> {
    const { held } = this;
    if (held !== undefined && this.clock.isWithin(held.askedAt, seconds)) return undefined;
    return (await abortable(this.refresh(), signal)).accessToken;
  }

  /** Whether a newly issued token is expected to live at least `seconds`. */
  canLastFor(seconds: number): boolean {
    return this.held !== undefined && this.held.life >= seconds;
  }

  private left({ expiresAt }: HeldToken): number {
    return (expiresAt.getTime() - this.clock.now().getTime()) / 1000;
  }

  private async refresh(): Promise<HeldToken> {
    this.inFlight ??= this.requestToken().finally(() => (this.inFlight = undefined));
    return this.inFlight;
  }

  private async requestToken(): Promise<HeldToken> {
    try {
      const token = await this.credential();
      const life = (token.expiresAt.getTime() - this.clock.now().getTime()) / 1000;
      const early = Math.min(EARLY_SECONDS + this.timing.random() * JITTER_SECONDS, life / 4);
      this.held = { ...token, askedAt: this.clock.now(), life, early };
      this.lastError = undefined;
      return this.held;
    } catch (error) {
      this.lastError = carriedError(error);
      this.logger.warn({ msg: 'the Entra token request failed', err: this.lastError });
      throw this.lastError;
    }
  }
}

const needed = ({ life }: HeldToken, minimum: number): number =>
  Math.max(Math.min(MIN_SECONDS, life / 4), life > minimum ? minimum : life / 2);
