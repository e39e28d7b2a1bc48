import { Logger } from '@nestjs/common';
import type { Clock } from '../core/clock.js';
import { abortable } from '../core/async/abortable.js';
import type { EntraCredential, EntraToken } from './entra-credential.js';
import type { Timing } from './timing.js';

interface HeldToken extends EntraToken {
  askedAt: Date;
  /** Seconds of life that it came with. */
  life: number;
  /** Seconds before its end from which a new one is fetched. Differs from replica to replica. */
  early: number;
}

const EARLY_SECONDS = 300;
const JITTER_SECONDS = 30;
/** A token with less life may run out on the way. */
const MIN_SECONDS = 10;
/** A token that was refused this soon after its issue is not refused for its age: another would not help. */
const YOUNG_SECONDS = 10;

/** What the network really said, whatever MSAL made of it (`MsalNetwork`). */
const carriedError = (error: unknown): unknown =>
  error instanceof Error && 'carried' in error ? error.carried : error;

/**
 * The access token of the service principal: one for all, fetched early and behind the callers' backs, and again for
 * whoever needs one that lives longer than the one at hand. Concurrent asks share one call.
 */
export class EntraTokens {
  private readonly logger = new Logger(EntraTokens.name);
  private held?: HeldToken;
  private asking?: Promise<HeldToken>;
  /** What kept the last fetch from succeeding, while it does. */
  lastError?: unknown;

  constructor(
    private readonly credential: EntraCredential,
    private readonly clock: Clock,
    private readonly timing: Timing,
  ) {}

  /**
   * A token with at least so many seconds left, as far as Entra gives such: where a whole life is shorter, half of it.
   * Throws UpstreamError, or the reason of `signal`.
   */
  async get(minimumSeconds = 0, signal?: AbortSignal): Promise<string> {
    const { held } = this;
    if (held === undefined || this.left(held) < needed(held, minimumSeconds)) {
      return (await abortable(this.refresh(), signal)).accessToken;
    }
    // Callers are served by the old one meanwhile; the failure is kept for the health check.
    if (this.left(held) < held.early) this.refresh().catch(() => undefined);
    return held.accessToken;
  }

  /** A new token in the place of one that Power BI refused; undefined when that would not help. */
  async replace(refused: string, signal?: AbortSignal): Promise<string | undefined> {
    const { held } = this;
    if (held !== undefined && held.accessToken !== refused) return held.accessToken;
    return this.renew(YOUNG_SECONDS, signal);
  }

  /** A new token, unless the one at hand is younger than so many seconds. */
  async renew(seconds: number, signal?: AbortSignal): Promise<string | undefined> {
    const { held } = this;
    if (held !== undefined && this.clock.now().getTime() - held.askedAt.getTime() < seconds * 1000) {
      return undefined;
    }
    return (await abortable(this.refresh(), signal)).accessToken;
  }

  /** Whether a token as fresh as can be lives for so many seconds. */
  canLastFor(seconds: number): boolean {
    return this.held !== undefined && this.held.life >= seconds;
  }

  private left({ expiresAt }: HeldToken): number {
    return (expiresAt.getTime() - this.clock.now().getTime()) / 1000;
  }

  private async refresh(): Promise<HeldToken> {
    this.asking ??= this.ask().finally(() => (this.asking = undefined));
    return this.asking;
  }

  private async ask(): Promise<HeldToken> {
    try {
      const token = await this.credential();
      const life = (token.expiresAt.getTime() - this.clock.now().getTime()) / 1000;
      const early = Math.min(EARLY_SECONDS + this.timing.random() * JITTER_SECONDS, life / 4);
      this.held = { ...token, askedAt: this.clock.now(), life, early };
      this.lastError = undefined;
      return this.held;
    } catch (error) {
      this.lastError = carriedError(error);
      this.logger.warn({ msg: 'Entra gave no token', err: this.lastError });
      throw this.lastError;
    }
  }
}

const needed = ({ life }: HeldToken, minimum: number): number =>
  Math.max(Math.min(MIN_SECONDS, life / 4), life > minimum ? minimum : life / 2);
