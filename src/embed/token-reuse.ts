import { LRUCache } from 'lru-cache';
import { abortable } from '../core/async/abortable.js';
import { withoutDeadline } from '../core/http/request-context.js';
import type { PbiEmbedToken } from '../power-bi/power-bi.types.js';

/** A token in hand. It is kept in the memory of this process and nowhere else. */
export interface MintedToken {
  token: PbiEmbedToken;
  /** When its life began to run, by our clock. */
  at: Date;
  reportId: string;
  workspaceId: string;
}

/** One that somebody was given. */
export interface HeldToken extends MintedToken {
  grantId: string;
  userId: string;
}

interface Flight<T> {
  outcome: Promise<T>;
  waiting: number;
  stop: AbortController;
}

/** About 3 kB each. */
const MAX_TOKENS = 10_000;

/**
 * Embed tokens that may be handed out again, each under everything that decided over it, and the calls for those that
 * are on their way. It knows nothing of rights: ask it only after they were looked at.
 */
export class TokenReuse<T extends MintedToken> {
  private readonly held = new LRUCache<string, T>({ max: MAX_TOKENS });
  private readonly flights = new Map<string, Flight<T>>();

  find(key: string): T | undefined {
    return this.held.get(key);
  }

  /** Who asks while a call for the same is under way shares it. It goes on until the last of them has left. */
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
    const flight: Flight<T> = { outcome: withoutDeadline(() => mint(stop.signal)), waiting: 0, stop };
    this.flights.set(key, flight);
    void this.keep(key, flight);
    return flight;
  }

  private async keep(key: string, flight: Flight<T>): Promise<void> {
    try {
      this.held.set(key, await flight.outcome);
    } catch {
      // Told to those who wait for it.
    } finally {
      this.end(key, flight);
    }
  }

  /** What comes after this begins anew. */
  private end(key: string, flight: Flight<T>, reason?: unknown): void {
    if (this.flights.get(key) === flight) this.flights.delete(key);
    flight.stop.abort(reason);
  }
}
