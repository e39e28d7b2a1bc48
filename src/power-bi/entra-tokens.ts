import type { Clock } from '../common/clock.js';
import type { EntraCredential, EntraToken } from './entra-credential.js';
import { carriedError } from './msal-network.js';

const EARLY_SECONDS = 300;

/** The access token of the service principal. Concurrent asks share one call. */
export class EntraTokens {
  private current?: EntraToken;
  private asking?: Promise<EntraToken>;

  constructor(
    private readonly credential: EntraCredential,
    private readonly clock: Clock,
  ) {}

  /** A token with at least so much life left, where Entra gives such. Throws UpstreamError. */
  async get(minimumSeconds: number = EARLY_SECONDS): Promise<EntraToken> {
    const { current } = this;
    if (current !== undefined && current.expiresAt > this.clock.in(minimumSeconds)) return current;
    return this.refresh();
  }

  private async refresh(): Promise<EntraToken> {
    this.asking ??= this.ask().finally(() => (this.asking = undefined));
    return this.asking;
  }

  private async ask(): Promise<EntraToken> {
    try {
      this.current = await this.credential();
      return this.current;
    } catch (error) {
      throw carriedError(error);
    }
  }
}
