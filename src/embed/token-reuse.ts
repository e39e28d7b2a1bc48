import { LRUCache } from 'lru-cache';
import { abortable } from '../common/abortable.js';
import { withoutDeadline } from '../common/request-context.js';
import type { PbiEmbedToken } from '../power-bi/power-bi.types.js';

/** A token in hand. It is kept in the memory of this process and nowhere else. */
export interface HeldToken {
  token: PbiEmbedToken;
  grantId: string;
  /** When its life began to run, by our clock. */
  at: Date;
  userId: string;
  reportId: string;
  workspaceId: string;
}

interface Flight {
  outcome: Promise<HeldToken>;
  waiting: number;
  stop: AbortController;
}

/** About 3 kB each. */
const MOST = 10_000;

/**
 * Embed tokens that may be handed out again, each under everything that decided over it, and the calls for those that
 * are on their way. It knows nothing of rights: ask it only after they were looked at.
 */
export class TokenReuse {
  private readonly held = new LRUCache<string, HeldToken>({ max: MOST });
  private readonly flights = new Map<string, Flight>();

  find(key: string): HeldToken | undefined {
    return this.held.get(key);
  }

  /** Who asks while a call for the same is under way shares it. It goes on until the last of them has left. */
  async share(
    key: string,
    signal: AbortSignal,
    mint: (signal: AbortSignal) => Promise<HeldToken>,
  ): Promise<HeldToken> {
    const flight = this.flights.get(key) ?? this.begin(key, mint);
    flight.waiting += 1;
    try {
      return await abortable(flight.outcome, signal);
    } finally {
      flight.waiting -= 1;
      if (flight.waiting === 0) this.end(key, flight, signal.reason);
    }
  }

  forget(matches: (held: HeldToken) => boolean): void {
    for (const [key, held] of this.held) if (matches(held)) this.held.delete(key);
  }

  private begin(key: string, mint: (signal: AbortSignal) => Promise<HeldToken>): Flight {
    const stop = new AbortController();
    const flight: Flight = { outcome: withoutDeadline(() => mint(stop.signal)), waiting: 0, stop };
    this.flights.set(key, flight);
    void this.keep(key, flight);
    return flight;
  }

  private async keep(key: string, flight: Flight): Promise<void> {
    try {
      this.held.set(key, await flight.outcome);
    } catch {
      // Told to those who wait for it.
    } finally {
      this.end(key, flight);
    }
  }

  /** What comes after this begins anew. */
  private end(key: string, flight: Flight, reason?: unknown): void {
    if (this.flights.get(key) === flight) this.flights.delete(key);
    flight.stop.abort(reason);
  }
}
