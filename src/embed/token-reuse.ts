import { LRUCache } from 'lru-cache';
import { abortable } from '../core/async/abortable.js';
import { withSignal } from '../core/http/request-context.js';
import type { PbiEmbedToken } from '../power-bi/power-bi.types.js';

/** An embed token from Power BI. Kept in the memory of this process only. */
export interface MintedToken {
  token: PbiEmbedToken;
  /** When this process received the token; `expiresIn` counts from here. */
  at: Date;
  /** The same on the monotonic clock. */
  atMonotonic: number;
  reportId: string;
  workspaceId: string;
}

/** A token that was issued to a user. */
export interface HeldToken extends MintedToken {
  grantId: string;
  userId: string;
}

interface Flight<T> {
  outcome: Promise<T>;
  waiting: number;
  stop: AbortController;
}

/** About 3 kB per token. */
const MAX_TOKENS = 10_000;

/**
 * Cache of reusable embed tokens, keyed by everything that determines them, and of the calls in progress. Does not
 * check rights: callers must check them first.
 */
export class TokenReuse<T extends MintedToken> {
  private readonly held = new LRUCache<string, T>({ max: MAX_TOKENS });
  private readonly flights = new Map<string, Flight<T>>();

  find(key: string): T | undefined {
    return this.held.get(key);
  }

  /**
   * Concurrent requests for the same key share one call. It continues until the last of them has left. Throws the error
   * of the call, or the reason of `signal`.
   */
  async share(key: string, signal: AbortSignal, mint: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const flight = this.flights.get(key) ?? this.begin(key, mint);
    flight.waiting += 1;
    try {
      return await abortable(flight.outcome, signal);
    } finally {
      flight.waiting -= 1;
      if (flight.waiting === 0) this.end(key, flight, signal.reason);
    }
  }

  forget(matches: (held: T) => boolean): void {
    for (const [key, held] of this.held) if (matches(held)) this.held.delete(key);
  }

  private begin(key: string, mint: (signal: AbortSignal) => Promise<T>): Flight<T> {
    const stop = new AbortController();
    const flight: Flight<T> = { outcome: withSignal(stop.signal, () => mint(stop.signal)), waiting: 0, stop };
    this.flights.set(key, flight);
    void this.keep(key, flight);
    return flight;
  }

  private async keep(key: string, flight: Flight<T>): Promise<void> {
    try {
      this.held.set(key, await flight.outcome);
    } catch {
      // Waiting callers receive the error from `flight.outcome`.
    } finally {
      this.end(key, flight);
    }
  }

  /** Later requests for the key start a new call. With a reason, the call is aborted. */
  private end(key: string, flight: Flight<T>, reason?: unknown): void {
    if (this.flights.get(key) === flight) this.flights.delete(key);
    if (reason !== undefined) flight.stop.abort(reason);
  }
}
