import type { Clock } from '../core/clock.js';
import { Problem } from '../core/problems/problem.js';
import { parseJson, parseList, parseWorkspace } from './response-parsers.js';
import type { CredentialExpiry } from './credential-expiry.js';
import type { EntraTokens } from './entra-tokens.js';
import { API_SCOPE, type PowerBiApi } from './power-bi-api.js';
import type { PowerBiStatus } from './power-bi.types.js';
import type { UpstreamCalls } from './upstream-calls.js';

const FRESH_SECONDS = 10;
const PROBE_MS = 3000;

/** Power BI's health, derived from recent calls, or from a probe when there were none. */
export class PowerBiHealth {
  private checked?: { at: Date; outcome: Promise<PowerBiStatus> };

  constructor(
    private readonly api: PowerBiApi,
    private readonly calls: UpstreamCalls,
    private readonly tokens: EntraTokens,
    private readonly expiry: CredentialExpiry,
    private readonly clock: Clock,
  ) {}

  async status(): Promise<PowerBiStatus> {
    if (this.calls.breaker.isOpen)
      return { status: 'down', detail: 'The circuit breaker for Power BI is open' };
    const seconds = await this.calls.throttle.secondsLeft(API_SCOPE);
    if (seconds > 0)
      return { status: 'degraded', detail: `Power BI is throttling requests for ${seconds} s` };
    const reached = this.isFresh(this.calls.lastSuccess) ? ok : await this.check();
    if (reached.status !== 'ok') return reached;
    if (this.tokens.lastError !== undefined) {
      return {
        status: 'degraded',
        detail: `The Entra token cannot be renewed: ${textOf(this.tokens.lastError)}`,
      };
    }
    const warning = this.expiry.warning();
    return warning === undefined ? ok : { status: 'degraded', detail: warning };
  }

  /** Sends at most one probe in 10 s, however often the health is requested. */
  private check(): Promise<PowerBiStatus> {
    if (!this.isFresh(this.checked?.at)) this.checked = { at: this.clock.now(), outcome: this.fetchStatus() };
    return this.checked?.outcome ?? Promise.resolve(ok);
  }

  private async fetchStatus(): Promise<PowerBiStatus> {
    try {
      await this.api.send(
        {
          operation: 'listing',
          method: 'GET',
          path: 'groups?$top=1',
          scope: API_SCOPE,
          parse: ({ body }) => parseList(parseJson(body), parseWorkspace),
          totalMs: PROBE_MS,
        },
        {},
      );
      return ok;
    } catch (error) {
      const throttled = error instanceof Problem && error.code === 'power_bi_throttled';
      return { status: throttled ? 'degraded' : 'down', detail: textOf(error) };
    }
  }

  private isFresh(at: Date | undefined): boolean {
    return at !== undefined && this.clock.isWithin(at, FRESH_SECONDS);
  }
}

const ok: PowerBiStatus = { status: 'ok' };

/** The cause has more detail than the problem that callers receive. */
const textOf = (error: unknown): string => {
  const { cause, message } = error instanceof Error ? error : new Error(String(error));
  return cause instanceof Error ? cause.message : message;
};
